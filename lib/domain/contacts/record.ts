import type { Contact } from '../../resources/contacts.ts';
import type { Note, Tag } from '../../resources/notes.ts';
import type { CustomValue } from '../custom-fields.ts';
import type { PostalClass } from '../organizations.ts';

/** Fields of a contact that a caller gives as text and that are kept as typed. */
export const textFields = [
  'Name',
  'Nickname',
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Phone',
  'AltPhone',
  'PhoneLabel',
  'AltPhoneLabel',
  'Email',
  'Country',
  'LeadSource',
  'Channel',
  'Campaign',
  'Category',
  'UtmMedium',
  'UtmSource',
  'UtmCampaign',
  'DigitalTrackingId',
  'ReferredByHash',
  'AutoOfferCode',
  'FlashMessage',
  'PmtOnFileKind',
  'PmtOnFileLast4',
  'PmtOnFileExpDate',
  'TerritoryID',
] as const satisfies readonly (keyof Contact)[];

/** Yes-or-no fields that a caller gives. */
export const flagFields = [
  'IsCustomer',
  'Unsubscribed',
  'DoNotText',
  'DoNotEmail',
] as const satisfies readonly (keyof Contact)[];

/** Fields that name another thing by id. */
export const linkFields = [
  'ReferredByContactId',
  'OwnerUserId',
  'ManagedByContactId',
] as const satisfies readonly (keyof Contact)[];

type Given = Pick<Contact, (typeof textFields)[number] | (typeof flagFields)[number] | (typeof linkFields)[number]>;

/** An invoice or proposal that the client is still to answer, as the contact lists it. */
export interface OpenDocument {
  /** `YYYY-MM-DD`. */
  readonly Date: string;
  /** What it is for. */
  readonly Service: string;
  /** Of the invoice or proposal: the end of its client link. */
  readonly HashKey: string;
}

/**
 * A contact as it is kept: what callers gave, and what was worked out of it once. Moments in milliseconds since 1970.
 */
export interface ContactRecord extends Given {
  readonly Id: number;
  readonly Hash: string;
  readonly OrganizationId: number;
  readonly LocationID: string;
  readonly ChannelId: number;
  readonly CampaignId: number;
  readonly NamedTaxRateId: number | null;
  readonly AccountingClass: PostalClass | null;
  readonly Notes: Note[];
  /** Pages of older notes kept beside the contact, because an item holds 400 KB. */
  readonly NotePages: number;
  readonly Tags: Tag[];
  readonly CustomFields: CustomValue[];
  readonly ContactPictures: Contact['ContactPictures'];
  readonly ContactDocuments: Contact['ContactDocuments'];
  /** By id. Written by the invoices and proposals themselves, in their own transactions (lib/store/contact-standing.ts). */
  readonly OpenInvoices: Readonly<Record<string, OpenDocument>>;
  readonly OpenProposals: Readonly<Record<string, OpenDocument>>;
  /** When it became a customer; absent while it is none. */
  readonly CustomerSince?: number;
  /** What it has paid in all, less refunds; absent while it is nothing. */
  readonly LifetimeValue?: number;
  /** E.164 forms of Phone and AltPhone, `""` where there is none: what searches compare. */
  readonly PhoneKey: string;
  readonly AltPhoneKey: string;
  readonly Created: number;
  readonly Updated: number;
  /** 1 for a new contact, one more with every change. */
  readonly V: number;
}

/** What events of invoices, appointments and proposals tell of their contact. */
export const feedFields = [
  'Name',
  'Nickname',
  'Company',
  'Phone',
  'AltPhone',
  'CustomerSince',
  'LifetimeValue',
] as const satisfies readonly (keyof ContactRecord)[];
export type FeedContact = Pick<ContactRecord, (typeof feedFields)[number]>;

/** A contact of which nothing is known yet. */
export function blankContact(
  given: Pick<ContactRecord, 'Id' | 'Hash' | 'OrganizationId' | 'LocationID' | 'Created'>,
): ContactRecord {
  const texts = Object.fromEntries(textFields.map((name) => [name, ''])) as Pick<Given, (typeof textFields)[number]>;
  return {
    ...texts,
    IsCustomer: false,
    Unsubscribed: false,
    DoNotText: false,
    DoNotEmail: false,
    ReferredByContactId: null,
    OwnerUserId: null,
    ManagedByContactId: null,
    ChannelId: 0,
    CampaignId: 0,
    NamedTaxRateId: null,
    AccountingClass: null,
    Notes: [],
    NotePages: 0,
    Tags: [],
    CustomFields: [],
    ContactPictures: [],
    ContactDocuments: [],
    OpenInvoices: {},
    OpenProposals: {},
    PhoneKey: '',
    AltPhoneKey: '',
    Updated: given.Created,
    V: 0,
    ...given,
  };
}
