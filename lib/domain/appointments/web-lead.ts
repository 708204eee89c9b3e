import type { ContactInput } from '../contacts/apply-input.ts';

/** What appointments/quickbook says of the contact; it calls two fields otherwise than contacts do. */
export type LeadFields = Pick<
  ContactInput,
  | 'Name'
  | 'Nickname'
  | 'Company'
  | 'Address1'
  | 'Address2'
  | 'City'
  | 'State'
  | 'Zip'
  | 'Country'
  | 'AltPhone'
  | 'AltPhoneLabel'
  | 'Email'
  | 'Channel'
  | 'ChannelId'
  | 'Campaign'
  | 'CampaignId'
  | 'Category'
  | 'DigitalTrackingId'
  | 'Unsubscribed'
  | 'Tags'
  | 'CustomFields'
> & { readonly PriPhone?: string | null | undefined; readonly PriPhoneLabel?: string | null | undefined };

const names = [
  'Name',
  'Nickname',
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Country',
  'AltPhone',
  'AltPhoneLabel',
  'Email',
  'Channel',
  'ChannelId',
  'Campaign',
  'CampaignId',
  'Category',
  'DigitalTrackingId',
  'Unsubscribed',
  'Tags',
  'CustomFields',
] as const satisfies readonly (keyof LeadFields)[];

const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** The contact of a booking: only what is said, so that a form's empty fields clear nothing of a contact there is. */
export function parseWebLead(input: LeadFields, Id: number | null | undefined): ContactInput {
  const { PriPhone: Phone, PriPhoneLabel: PhoneLabel } = input;
  const all = Object.entries({
    ...Object.fromEntries(names.map((name) => [name, input[name]])),
    Phone,
    PhoneLabel,
    ...(Id ? { Id } : {}),
  });
  return Object.fromEntries(all.filter(([, value]) => !saysNothing(value))) as ContactInput;
}

/** What quickbook calls a contact's field. */
export const leadField = (field: string): string =>
  field === 'Phone' ? 'PriPhone' : field === 'PhoneLabel' ? 'PriPhoneLabel' : field === 'Id' ? 'ContactId' : field;
