import type { Contact as ContactResource } from '../../resources/contacts.ts';
import type { Input } from '../../resources/resource.ts';
import { isEmail } from '../../shared/emails.ts';
import { isEqual } from '../../shared/equality.ts';
import { normalizePhone } from '../../shared/phones.ts';
import type { OrganizationRecord } from '../organizations.ts';
import { type PostalOwner, postalClass } from '../postal-ownership.ts';
import { type ContactRecord, flagFields, referenceFields, textFields } from './record.ts';

/** A contact as a request brings it. */
export type ContactInput = Input<typeof ContactResource>;

/** A field of the contact at fault. */
export interface ContactError {
  readonly field: string;
  readonly message: string;
}

/** What was looked up for a contact before it is merged. */
export interface ContactFacts {
  readonly organization: OrganizationRecord;
  /**
   * What is known of the postal code that the request brings, `null` when nothing; `undefined` when it brings none, so
   * that nothing changes.
   */
  readonly postalOwner: PostalOwner | null | undefined;
  /** The moment of the change, in milliseconds since 1970. */
  readonly at: number;
}

const COUNTRY = /^[A-Za-z]{2}$/;

/**
 * The country whose phone numbers need no prefix: the contact's where it is an ISO 3166 code, else the organization's.
 */
const countryOf = (contact: ContactRecord, { organization }: ContactFacts): string =>
  COUNTRY.test(contact.Country) ? contact.Country.toUpperCase() : organization.Country;

/** Texts that must agree with the account's lists, and are taken from there: marketing.ts. */
const listed: readonly string[] = ['Channel', 'Campaign'];

/** Fields that answers leave empty unless asked for them: what comes back empty is not cleared, only `null` does. */
const concealed: readonly string[] = ['PmtOnFileKind', 'PmtOnFileLast4', 'PmtOnFileExpDate'];

/** The fields given, over those there were: absent means unchanged, `null` clears. */
function overlaid(contact: ContactRecord, input: ContactInput): ContactRecord {
  const changed: Record<string, unknown> = {};
  for (const name of textFields) {
    const unchanged =
      input[name] === undefined || listed.includes(name) || (input[name] === '' && concealed.includes(name));
    if (!unchanged) changed[name] = (input[name] ?? '').trim();
  }
  for (const name of flagFields) if (input[name] !== undefined) changed[name] = input[name] ?? false;
  for (const name of referenceFields) if (input[name] !== undefined) changed[name] = input[name];
  return { ...contact, ...changed };
}

function faultsOf(contact: ContactRecord, keys: { phone: string | null; altPhone: string | null }): ContactError[] {
  return [
    ...(contact.Email && !isEmail(contact.Email) ? [{ field: 'Email', message: 'must be an e-mail address' }] : []),
    ...(keys.phone === null ? [{ field: 'Phone', message: 'must be a phone number' }] : []),
    ...(keys.altPhone === null ? [{ field: 'AltPhone', message: 'must be a phone number' }] : []),
    ...(contact.PmtOnFileLast4 && !/^\d{4}$/.test(contact.PmtOnFileLast4)
      ? [{ field: 'PmtOnFileLast4', message: 'must be 4 digits' }]
      : []),
  ];
}

/** The territory where no class says one: it stays as given, but leaves with the class that had brought it. */
const ownTerritory = ({ AccountingClass }: ContactRecord, { TerritoryID }: ContactRecord): string =>
  AccountingClass?.TerritoryID === TerritoryID ? '' : TerritoryID;

/** Since when it is a customer: the first time that it was said, whatever is said later. */
const customerSince = ({ CustomerSince }: ContactRecord, { IsCustomer }: ContactRecord, at: number) =>
  IsCustomer && CustomerSince === undefined ? { CustomerSince: at } : {};

/**
 * What a request says of a contact there is that contradicts what names it: its Hash, and the organization it belongs
 * to.
 */
export const findContradictions = (contact: ContactRecord, { Hash, OrganizationId }: ContactInput): ContactError[] => [
  ...(Hash && Hash !== contact.Hash ? [{ field: 'Hash', message: `is not that of contact ${contact.Id}` }] : []),
  ...(OrganizationId && OrganizationId !== contact.OrganizationId
    ? [
        {
          field: 'OrganizationId',
          message: `must be ${contact.OrganizationId}, to which contact ${contact.Id} belongs`,
        },
      ]
    : []),
];

/**
 * A contact with what a request brings laid over it. The postal code decides AccountingClass and TerritoryID where the
 * organization has a class for it. Tags, notes, custom fields and marketing are merged apart, because they need to be
 * looked up.
 */
export function applyContactInput(
  contact: ContactRecord,
  input: ContactInput,
  facts: ContactFacts,
): { contact: ContactRecord; errors: ContactError[] } {
  const merged = overlaid(contact, input);
  const country = countryOf(merged, facts);
  const phone = merged.Phone ? normalizePhone(merged.Phone, country) : '';
  const altPhone = merged.AltPhone ? normalizePhone(merged.AltPhone, country) : '';
  const booked = postalClass(facts.postalOwner, merged.OrganizationId);
  const territory =
    facts.postalOwner === undefined
      ? {}
      : { AccountingClass: booked, TerritoryID: booked?.TerritoryID || ownTerritory(contact, merged) };
  return {
    contact: {
      ...merged,
      PhoneKey: phone ?? '',
      AltPhoneKey: altPhone ?? '',
      ...territory,
      ...customerSince(contact, merged, facts.at),
    },
    errors: faultsOf(merged, { phone, altPhone }),
  };
}

/** The names of fields in which two states of a contact differ, bookkeeping aside. */
export function changedFields(before: ContactRecord, after: ContactRecord): string[] {
  const names = Object.keys(after) as (keyof ContactRecord)[];
  return names.filter((name) => name !== 'V' && name !== 'Updated' && !isEqual(before[name], after[name]));
}

/** Contacts that a request's contact names, as far as they exist for the caller. */
export interface ReferencedContacts {
  readonly ids: ReadonlySet<number>;
  /** Hash → id. */
  readonly hashes: ReadonlyMap<string, number>;
}

/**
 * What is wrong with the contacts that a request names as referring or managing this one. What stands there already may
 * be sent back, also by a caller who may not see it.
 */
export function referenceErrors(
  contact: ContactRecord,
  input: ContactInput,
  linked: ReferencedContacts,
): ContactError[] {
  const fault = (field: keyof ContactInput, id: number | undefined, what: string): ContactError[] => {
    if (id === undefined) return [{ field, message: `must be the ${what} of a contact there is` }];
    return id === contact.Id ? [{ field, message: 'must be another contact' }] : [];
  };
  const byId = (['ReferredByContactId', 'ManagedByContactId'] as const).flatMap((field) => {
    const id = input[field];
    return !id || id === contact[field] ? [] : fault(field, linked.ids.has(id) ? id : undefined, 'id');
  });
  const hash = input.ReferredByHash?.trim();
  if (!hash || hash === contact.ReferredByHash) return byId;
  const referrer = linked.hashes.get(hash);
  const other = referrer !== undefined && input.ReferredByContactId && input.ReferredByContactId !== referrer;
  return [
    ...byId,
    ...(other
      ? [{ field: 'ReferredByHash', message: `is not that of contact ${input.ReferredByContactId}` }]
      : fault('ReferredByHash', referrer, 'Hash')),
  ];
}
