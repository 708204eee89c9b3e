import type { MergedContact } from '../../entities/contact-parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { pick } from '../../shared/objects.ts';

/**
 * Further names, e-mails, phones and tracking ids by which a contact is found: those of the contacts merged into it.
 */

const names = [
  'Id',
  'Name',
  'Nickname',
  'Company',
  'Email',
  'PhoneKey',
  'AltPhoneKey',
  'DigitalTrackingId',
] as const satisfies readonly (keyof MergedContact)[];

/** What finds a contact that is being merged, behind the contacts merged into it before. */
export const mergedContactsOf = (merged: ContactRecord): readonly MergedContact[] => [
  ...merged.MergedContacts,
  pick(merged, ...names),
];

/** A contact as it is, and as each contact merged into it was. All have its Id. */
export const statesOf = (contact: ContactRecord): ContactRecord[] => [
  contact,
  ...contact.MergedContacts.map((merged) => ({ ...contact, ...merged, Id: contact.Id })),
];
