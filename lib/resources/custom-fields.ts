import { anyValue, described, flag, id, int32, nullable, text } from './fields.ts';
import { type Output, many, resource } from './resource.ts';

/** A choice of a custom field that has choices. */
export const CustomFieldOption = resource('CustomFieldOption', () => ({
  Id: nullable(id()),
  Label: text(200),
  Value: text(1000),
}));
export type CustomFieldOption = Output<typeof CustomFieldOption>;

/**
 * A field that the account adds to its contacts, appointments and so on: its definition, with the value where it stands
 * in one of them.
 */
export const CustomField = resource('CustomField', () => ({
  Id: id(),
  Name: text(200),
  Shortcode: described(text(100), 'By this name formulas read a numeric field.'),
  FormField: described(text(200), 'The name of the field in forms that clients fill in.'),
  Value: anyValue(),
  Type: described(int32(0, 6), '0 Text, 1 Number, 2 Date, 3 Checkbox, 4 Dropdown, 5 CheckboxList, 6 TextArea.'),
  TableType: described(
    int32(0, 6),
    'What it belongs to: 0 Contact, 1 Appointment, 2 Proposal, 3 ProposalLine, 4 Organization, 5 Service, 6 Part.',
  ),
  Phase: nullable(described(int32(0, 2), 'When it is asked for: 0 Booking, 1 Start, 2 Finish; null at any time.')),
  Required: flag(),
  HelpText: text(),
  CustomFieldCategory: text(100),
  // Set where a checkbox list comes as one entry a checkbox.
  CheckboxListOptionId: nullable(id()),
  CheckboxListOptionName: text(200),
  Options: many(CustomFieldOption),
}));
export type CustomField = Output<typeof CustomField>;
