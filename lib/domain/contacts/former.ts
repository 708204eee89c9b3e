import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { identityNames } from '../../entities/declaration/marks.ts';
import { isEqual, pick } from '../../shared/objects.ts';

/** Fields by which texts identify a person. */
export const identityFields = identityNames(contactEntity.fields);

/** Further fields from which search entries are derived. */
const searchFields = [
  'PhoneKey',
  'AltPhoneKey',
  'City',
  'Zip',
  'Category',
  'DigitalTrackingId',
  'Tags',
  'ReferredByContactId',
  'ReferredByHash',
  'ManagedByContactId',
  'OldestNote',
  'MergedContacts',
] as const satisfies readonly (keyof ContactRecord)[];

/** What people write of a person, and its phones as the contact's country reads them. */
export type Identity = Pick<ContactRecord, (typeof identityFields)[number] | 'PhoneKey' | 'AltPhoneKey'>;

/** A former state of a contact, without blank fields. */
export type FormerState = Partial<Pick<ContactRecord, (typeof identityFields | typeof searchFields)[number]>>;

/** Whether a change replaces something that identified the person. */
export const isIdentityChanged = (before: ContactRecord, after: ContactRecord): boolean =>
  identityFields.some((name) => before[name] !== '' && before[name] !== after[name]);

export function formerState(contact: ContactRecord): FormerState {
  const state = pick(contact, ...identityFields, ...searchFields);
  const isKept = ([, value]: [string, unknown]) => value !== undefined && value !== null && !isEqual(value, []);
  return Object.fromEntries(Object.entries(state).filter((entry) => isKept(entry) && entry[1] !== '')) as FormerState;
}

/** A former state of the contact, as far as its search entries and identity go. */
export const restoreFormer = (
  { Id, OrganizationId, Hash, LocationID, Created }: ContactRecord,
  state: FormerState,
): ContactRecord => ({ ...contactEntity.blank({ Id, OrganizationId, Hash, LocationID, Created }), ...state });
