import { anyValue, described, flag, id, int32, nullable, text } from './fields.ts';
import { type Output, many, resource } from './resource.ts';

export const CustomFieldOption = resource('CustomFieldOption', () => ({
  Id: nullable(id()),
  Label: text(200),
  Value: text(1000),
}));
export type CustomFieldOption = Output<typeof CustomFieldOption>;

/** The definition of a custom field; inside a record, with its value. */
export const CustomField = resource('CustomField', () => ({
  Id: id(),
  Name: text(200),
  Shortcode: described(text(100), 'The name of a numeric field in formulas.'),
  FormField: described(text(200), 'The name of the field in client forms.'),
  Value: anyValue(),
  Type: described(int32(0, 6), '0 Text, 1 Number, 2 Date, 3 Checkbox, 4 Dropdown, 5 CheckboxList, 6 TextArea.'),
  TableType: described(
    int32(0, 6),
    'The record it belongs to: 0 Contact, 1 Appointment, 2 Proposal, 3 ProposalLine, 4 Organization, 5 Service, ' +
      '6 Part.',
  ),
  Phase: nullable(described(int32(0, 2), 'When it is filled in: 0 Booking, 1 Start, 2 Finish; null for any time.')),
  Required: flag(),
  HelpText: text(),
  CustomFieldCategory: text(100),
  // Set if a checkbox list is sent as one entry per checkbox.
  CheckboxListOptionId: nullable(id()),
  CheckboxListOptionName: text(200),
  Options: many(CustomFieldOption),
}));
export type CustomField = Output<typeof CustomField>;
