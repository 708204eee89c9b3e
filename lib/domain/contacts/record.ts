import type { Contact, Note, Tag } from '../../resources/contacts.ts';
import { jsonByteLength } from '../../shared/limits.ts';
import type { CustomValue } from '../custom-fields.ts';
import type { PostalClass } from '../postal-ownership.ts';
import type { ContactError } from './apply-input.ts';

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
export const referenceFields = [
  'ReferredByContactId',
  'OwnerUserId',
  'ManagedByContactId',
] as const satisfies readonly (keyof Contact)[];

type Given = Pick<
  Contact,
  (typeof textFields)[number] | (typeof flagFields)[number] | (typeof referenceFields)[number]
>;

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
  input: Pick<ContactRecord, 'Id' | 'Hash' | 'OrganizationId' | 'LocationID' | 'Created'>,
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
    Updated: input.Created,
    V: 0,
    ...input,
  };
}

/** A full address: street, city or zip, and state or zip. */
const hasAddress = ({ Address1, City, State, Zip }: ContactRecord): boolean =>
  Address1 !== '' && (Zip !== '' || (City !== '' && State !== ''));

/** Enough to work with: a name or company, and one way to reach it (e-mail, phone or full address). */
export const isValid = (contact: ContactRecord): boolean =>
  (contact.Name !== '' || contact.Company !== '') &&
  (contact.Email !== '' || contact.Phone !== '' || contact.AltPhone !== '' || hasAddress(contact));

/** Anything at all by which the contact could be told from others. */
export const hasIdentifyingInfo = ({
  Name,
  Company,
  Email,
  Phone,
  AltPhone,
  Address1,
  DigitalTrackingId,
}: ContactRecord): boolean =>
  [Name, Company, Email, Phone, AltPhone, Address1, DigitalTrackingId].some((value) => value !== '');

/** An item holds 400 KB: 48,000 characters of notes, at most 3 bytes each, and this. */
const MAX_BYTES_BESIDES_NOTES = 200_000;
/** A transaction holds 4 MB. */
const MAX_BYTES = 3_000_000;

/** Contacts that are too large to be stored, alone or together with those before them. */
export function contactSizeErrors(contacts: readonly ContactRecord[]): (ContactError & { readonly index: number })[] {
  let together = 0;
  return contacts.flatMap((contact, index) => {
    // What is open is listed by invoices and proposals, and cannot be made less by whoever sends the contact.
    const { Notes, OpenInvoices: _invoices, OpenProposals: _proposals, ...others } = contact;
    const besidesNotes = jsonByteLength(others);
    const before = together;
    together += besidesNotes + jsonByteLength(Notes);
    if (besidesNotes > MAX_BYTES_BESIDES_NOTES) {
      return [
        {
          index,
          field: 'CustomFields',
          message: `make the contact too large: at most ${MAX_BYTES_BESIDES_NOTES} bytes besides its notes`,
        },
      ];
    }
    const crosses = before <= MAX_BYTES && together > MAX_BYTES;
    return crosses
      ? [
          {
            index,
            field: 'Notes',
            message: `make the call too large: at most ${MAX_BYTES} bytes of contacts and notes are stored at once`,
          },
        ]
      : [];
  });
}
