import { type Output, anyValue, code, described, flag, id, many, nullable, resource, text } from './fields.ts';

export const CustomFieldOption = resource('CustomFieldOption', () => ({
  Id: nullable(id()),
  Label: text(200),
  Value: text(1000),
}));
export type CustomFieldOption = Output<typeof CustomFieldOption>;

/** The definition of a custom field; in a record, with its value. */
export const CustomField = resource('CustomField', () => ({
  Id: id(),
  Name: text(200),
  Shortcode: described(text(100), 'The name of a numeric field in formulas.'),
  FormField: described(text(200), 'The name of the field in client forms.'),
  Value: anyValue(),
  Type: code(['Text', 'Number', 'Date', 'Checkbox', 'Dropdown', 'CheckboxList', 'TextArea']),
  TableType: code(
    ['Contact', 'Appointment', 'Proposal', 'ProposalLine', 'Organization', 'Service', 'Part'],
    'The record it belongs to',
  ),
  Phase: nullable(code(['Booking', 'Start', 'Finish'], 'When it is filled in; null for any time')),
  Required: flag(),
  HelpText: text(),
  CustomFieldCategory: text(100),
  // Set if a checkbox list is sent as one entry per checkbox.
  CheckboxListOptionId: nullable(id()),
  CheckboxListOptionName: text(200),
  Options: many(CustomFieldOption),
}));
export type CustomField = Output<typeof CustomField>;
