import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { identityNames } from '../../entities/declaration/marks.ts';
import { isEqual, pick } from '../../shared/objects.ts';

/** What people write of a person, so that texts name it. */
export const identityFields = identityNames(contactEntity.fields);

/** What search entries follow from besides. */
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

/** A state that a contact once had, without what is blank. */
export type FormerState = Partial<Pick<ContactRecord, (typeof identityFields | typeof searchFields)[number]>>;

/** Whether a change leaves behind what identified the person. */
export const isIdentityChanged = (before: ContactRecord, after: ContactRecord): boolean =>
  identityFields.some((name) => before[name] !== '' && before[name] !== after[name]);

export function formerState(contact: ContactRecord): FormerState {
  const state = pick(contact, ...identityFields, ...searchFields);
  const isKept = ([, value]: [string, unknown]) => value !== undefined && value !== null && !isEqual(value, []);
  return Object.fromEntries(Object.entries(state).filter((entry) => isKept(entry) && entry[1] !== '')) as FormerState;
}

/** The contact as it once was, as far as its search entries and its identity go. */
export const restoreFormer = (
  { Id, OrganizationId, Hash, LocationID, Created }: ContactRecord,
  state: FormerState,
): ContactRecord => ({ ...contactEntity.blank({ Id, OrganizationId, Hash, LocationID, Created }), ...state });
