import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { type ContactInput, phoneKeys } from './apply-input.ts';
import { ADDRESS_FIELDS, comparable, isBlank } from './merge.ts';
import { flagFields, referenceFields, textFields } from './record.ts';

/**
 * Interprets an input that finds a merged contact. A file that is imported again has the old row of the merged contact,
 * but the merge has already decided what the remaining contact takes of it.
 */

type Identifying = Pick<ContactRecord, 'Email' | 'PhoneKey' | 'AltPhoneKey' | 'DigitalTrackingId'>;

/** The first of these that an input has identifies its contact. */
const identifiers: readonly ((of: Identifying) => readonly string[])[] = [
  ({ DigitalTrackingId }) => [DigitalTrackingId],
  ({ Email }) => [Email && normalizeEmail(Email)],
  ({ PhoneKey, AltPhoneKey }) => [PhoneKey, AltPhoneKey],
];

/**
 * The id of the merged contact by which an input finds the remaining one; `undefined` if it is not found by a merged
 * one.
 */
export function mergedIdMeant(contact: ContactRecord, given: ContactRecord): number | undefined {
  for (const of of identifiers) {
    const [value] = of(given);
    const meant = value ? [contact, ...contact.MergedContacts].find((each) => of(each).includes(value)) : undefined;
    if (meant) return meant === contact ? undefined : meant.Id;
  }
  return undefined;
}

/**
 * The input without values of the merged contact, which say nothing new. An address is one value: for `11 Oak Street`
 * in the city of the merged contact, the remaining contact takes both.
 */
export function withoutMergedValues(
  input: ContactInput,
  merged: ContactRecord,
  organization: Pick<OrganizationRecord, 'Country'>,
): ContactInput {
  const { Phone, AltPhone, Country } = { ...merged, Phone: input.Phone ?? '', AltPhone: input.AltPhone ?? '' };
  const keys = phoneKeys({ Phone, AltPhone, Country }, organization);
  const own = [merged.PhoneKey, merged.AltPhoneKey];
  const isKnown = (name: (typeof plainFields)[number]): boolean => {
    if (isBlank(input[name])) return true;
    if (name === 'Phone') return own.includes(keys.phone ?? '');
    if (name === 'AltPhone') return own.includes(keys.altPhone ?? '');
    return comparable(name, input[name]) === comparable(name, merged[name]);
  };
  const known = plainFields.filter((name) => input[name] !== undefined && isKnown(name));
  const address = ADDRESS_FIELDS.filter((name) => input[name] !== undefined);
  const isSameAddress = address.every((name) => known.includes(name));
  const names = known.filter((name) => isSameAddress || !address.some((each) => each === name));
  const CustomFields = input.CustomFields?.filter(
    ({ Id, Value }) => !merged.CustomFields.some((field) => field.Id === Id && isEqual(field.Value, Value)),
  );
  return { ...omit(input, ...names), ...(CustomFields ? { CustomFields } : {}) };
}

const plainFields = [...textFields, ...flagFields, ...referenceFields];
