import type { MergedContact } from '../../entities/contact-parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { pick } from '../../shared/objects.ts';

/**
 * What a contact is found by besides its own fields: the names, e-mails, phones and tracking ids of the contacts that
 * were merged into it.
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

/** What finds a contact that is merged into another one, and those that were merged into it before. */
export const mergedContactsOf = (merged: ContactRecord): readonly MergedContact[] => [
  pick(merged, ...names),
  ...merged.MergedContacts,
];

/** A contact as it is, and as each contact that was merged into it was. All have its own Id. */
export const statesOf = (contact: ContactRecord): ContactRecord[] => [
  contact,
  ...contact.MergedContacts.map((merged) => ({ ...contact, ...merged, Id: contact.Id })),
];
