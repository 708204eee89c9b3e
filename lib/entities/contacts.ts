import { type RecordOf, entity } from './declaration/entity.ts';
import {
  type ObjectOf,
  bytes,
  customValue,
  decimal,
  flag,
  history,
  id,
  listOf,
  mapOf,
  moment,
  number,
  object,
  text,
} from './declaration/fields.ts';
import { postalClass } from './postal-codes.ts';

/** A note as it is stored. */
const note = {
  Id: id({ resource: true }),
  Title: text({ resource: true }),
  Body: text({ resource: true }),
  /** When it was added; absent in notes of earlier versions. */
  At: moment({ optional: true }),
  /** The logged call that it describes. */
  CallId: id({ optional: true }),
};
export type StoredNote = ObjectOf<typeof note>;

const fileOfContact = {
  Id: id(),
  Filename: text({ personal: 'named' }),
  AppointmentId: id({ nullable: true }),
  Notes: text({ personal: 'written' }),
  /** UTC, as the resource has it. */
  CreatedAt: text(),
  UpdatedAt: text(),
};

/** An invoice or proposal that waits for the client, as the contact lists it. */
const openDocument = {
  /** `YYYY-MM-DD`. */
  Date: text(),
  Service: text(),
  /** How often its links were revoked; absent before the first time. */
  LinksRevoked: number({ optional: true }),
};
export type OpenDocument = ObjectOf<typeof openDocument>;

/** What finds a contact that was merged into this one. */
const mergedContact = {
  Id: id(),
  Name: text(),
  Nickname: text(),
  Company: text(),
  Email: text(),
  PhoneKey: text(),
  AltPhoneKey: text(),
  DigitalTrackingId: text(),
};
export type MergedContact = ObjectOf<typeof mergedContact>;

/** A contact as it is stored. */
export const contactEntity = entity('Contact', {
  Id: id({ resource: true, download: true }),
  OrganizationId: id({ resource: true }),
  Hash: text({ required: true, resource: true, download: true }),
  Name: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'fullname contactname customername customer',
  }),
  Nickname: text({ resource: true, input: true, download: true, personal: 'identity' }),
  Company: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'companyname business businessname',
  }),
  Address1: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'address street streetaddress addressline1',
  }),
  Address2: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'addressline2 unit apartment',
  }),
  City: text({ resource: true, input: true, download: true, csv: 'town' }),
  State: text({ resource: true, input: true, download: true, csv: 'province region' }),
  Zip: text({ resource: true, input: true, download: true, csv: 'zipcode postalcode postcode' }),
  Phone: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'phone1 primaryphone mainphone phonenumber telephone mobile mobilephone cellphone cell',
  }),
  AltPhone: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'phone2 secondaryphone alternatephone otherphone homephone workphone',
  }),
  PhoneLabel: text({ resource: true, input: true, download: true, csv: 'phone1label' }),
  AltPhoneLabel: text({ resource: true, input: true, download: true, csv: 'phone2label' }),
  Email: text({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'mail emailaddress email1 primaryemail',
  }),
  Country: text({ resource: true, input: true, download: true }),
  LocationID: text({ resource: true }),
  TerritoryID: text({ resource: true, input: true, csv: 'territory' }),
  LeadSource: text({ resource: true, input: true, download: true, csv: 'source' }),
  Channel: text({ resource: true, input: true, download: true }),
  Campaign: text({ resource: true, input: true, download: true }),
  Category: text({ resource: true, input: true, download: true, csv: 'type contacttype' }),
  ChannelId: id({ absent: 0, resource: true, download: true }),
  CampaignId: id({ absent: 0, resource: true, download: true }),
  UtmMedium: text({ resource: true, input: true, download: true }),
  UtmSource: text({ resource: true, input: true, download: true }),
  UtmCampaign: text({ resource: true, input: true, download: true }),
  IsCustomer: flag({ resource: true, input: true, download: true }),
  /** Absent until the contact becomes a customer. */
  CustomerSince: moment({ optional: true, download: true }),
  /** The sum of its payments less refunds; absent until the first payment. */
  LifetimeValue: decimal({ optional: true, download: true }),
  /**
   * The sum of its payments that count as credit, absent until the first; below 0 where a provider took back what was
   * used.
   */
  CreditBalance: decimal({ optional: true, resource: true, download: true }),
  DigitalTrackingId: text({ resource: true, input: true, download: true, csv: 'customerid' }),
  ReferredByContactId: id({ nullable: true, resource: true, input: true, download: true }),
  ReferredByHash: text({ resource: true, input: true }),
  OwnerUserId: id({ nullable: true, resource: true, input: true, download: true }),
  ManagedByContactId: id({ nullable: true, resource: true, input: true, download: true }),
  AutoOfferCode: text({ resource: true, input: true }),
  FlashMessage: text({ resource: true, input: true, personal: 'written' }),
  Unsubscribed: flag({ resource: true, input: true, download: true, csv: 'optout' }),
  DoNotText: flag({ resource: true, input: true, download: true }),
  DoNotEmail: flag({ resource: true, input: true, download: true }),
  NamedTaxRateId: id({ nullable: true, download: true }),
  AccountingClass: object(postalClass, { nullable: true }),
  PmtOnFileKind: text({ resource: true, input: true, secret: true }),
  PmtOnFileLast4: text({ resource: true, input: true, secret: true }),
  PmtOnFileExpDate: text({ resource: true, input: true, secret: true }),
  /** Whose card it is at the payment provider, and when the client saved it there; absent before the first. */
  PmtOnFileCustomer: text({ optional: true }),
  PmtOnFileSavedAt: moment({ optional: true }),
  /** The newest. Older ones are on pages of their own: the contact's item holds at most 400 KB. */
  Notes: listOf(note, { personal: 'written', csv: 'note comments comment' }),
  NotePages: number(),
  /** Pages up to this one are removed. */
  NotePagesRemoved: number({ optional: true }),
  /** When its oldest note was added that describes no call, for retention rules; absent without notes. */
  OldestNote: moment({ optional: true }),
  Tags: listOf({ Id: id(), Name: text() }, { csv: 'tag labels' }),
  CustomFields: listOf(customValue, { personal: 'written' }),
  ContactPictures: listOf({ ...fileOfContact, Width: number(), Height: number() }, { resource: true }),
  ContactDocuments: listOf(fileOfContact, { resource: true }),
  /** By id. Written with the invoices and proposals, in their transactions (lib/store/contacts/contacts.ts). */
  OpenInvoices: mapOf(openDocument),
  OpenProposals: mapOf(openDocument),
  /** E.164 forms of Phone and AltPhone, which searches compare; `""` if empty. */
  PhoneKey: text(),
  AltPhoneKey: text(),
  /** How often its links were revoked; absent before the first time. */
  LinksRevoked: number({ optional: true }),
  /** Those that were merged into it, directly and through others: calls find it by them. */
  MergedContacts: listOf(mergedContact, { personal: 'written' }),
  /** The contact that it was merged into: for every call it is that one. */
  MergedInto: id({ optional: true }),
  /** Merges and undos that move credit to or from it now: the credit is not used meanwhile. */
  CreditHolds: number({ optional: true }),
  /** How often the links of that one were revoked when it was merged. */
  MergedLinksRevoked: number({ optional: true }),
  ...history,
});
export type ContactRecord = RecordOf<typeof contactEntity>;

/** What stays in place of an erased contact: what the sums of its invoices and payments need, and no person. */
export const erasedContactEntity = entity('Contact', {
  Id: id(),
  OrganizationId: id(),
  ErasedAt: moment({ required: true }),
  OpenInvoices: mapOf(openDocument),
  OpenProposals: mapOf(openDocument),
  IsCustomer: flag(),
  LifetimeValue: number({ optional: true }),
  CreditBalance: number({ optional: true }),
  CustomerSince: moment({ optional: true }),
  MergedInto: id({ optional: true }),
  ...history,
});
export type ErasedContact = RecordOf<typeof erasedContactEntity>;

/** Whether an item is what stays of an erased contact. */
export const isErased = (item: Readonly<Record<string, unknown>>): boolean => item['ErasedAt'] !== undefined;

/** Whether an item is no contact any more: erased, or merged into another one. */
export const isGone = (item: Readonly<Record<string, unknown>>): boolean =>
  isErased(item) || item['MergedInto'] !== undefined;

/** A search entry of a contact; those of e-mails and phones that earlier versions stored have no organization. */
export const searchEntryEntity = entity('SearchEntry', { Id: id(), At: moment(), O: id({ optional: true }) });

/** The keys and contacts of search entries that a call put before its transaction: JSON, compressed. */
export const pendingEntriesEntity = entity('PendingEntries', { Entries: bytes({ required: true }) });

/** A word for contacts, by its name. */
export const tagEntity = entity('Tag', { Id: id(), Name: text({ required: true }) });
