import { LEAD_FIELDS, type QuickbookInput } from '../../resources/appointments.ts';
import { pick } from '../../shared/objects.ts';
import type { ContactInput } from '../contacts/apply-input.ts';

type LeadInput = Pick<
  QuickbookInput,
  (typeof LEAD_FIELDS)[number] | 'Tags' | 'CustomFields' | 'PriPhone' | 'PriPhoneLabel'
>;

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/**
 * The contact of quickbook without blank fields, because the empty fields of a form must not clear an existing contact.
 */
export function parseWebLead(input: LeadInput, Id: number | null | undefined): ContactInput {
  const { PriPhone: Phone, PriPhoneLabel: PhoneLabel } = input;
  const fields = { ...pick(input, ...LEAD_FIELDS, 'Tags', 'CustomFields'), Phone, PhoneLabel, Id: Id || undefined };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value)));
}

/** The name of a contact's field in quickbook. */
export const leadField = (field: string): string =>
  field === 'Phone' ? 'PriPhone' : field === 'PhoneLabel' ? 'PriPhoneLabel' : field === 'Id' ? 'ContactId' : field;
