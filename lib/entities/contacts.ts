import { NamedTaxRate } from './tax-rates.ts';
import { CustomField } from '../resources/custom-fields.ts';
import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { CLIENT_LINK } from '../resources/sentences.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  customValue,
  decimal,
  given,
  phone,
  zip,
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
import { resourceOf } from './declaration/resource.ts';
import {
  ContactDocument,
  ContactPicture,
  Note,
  ServiceDocumentLink,
  fileOfContact,
  mergedContact,
  noteFields,
  openDocument,
  pictureOfContact,
} from './contact-parts.ts';
import { AccountingClassPostalCodes, postalClass } from './postal-codes.ts';

/** A customer or lead. Computed fields: interface, section 3. */
export const contactEntity = entity('Contact', {
  Id: id({ resource: true, download: true }),
  OrganizationId: id({ resource: true, shownNullable: true }),
  Hash: text({ required: true, resource: true, download: true }),
  Name: text({
    max: 200,
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'fullname contactname customername customer',
  }),
  Nickname: text({ max: 200, resource: true, input: true, download: true, personal: 'identity' }),
  Company: text({
    max: 200,
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'companyname business businessname',
  }),
  Address1: text({
    max: 200,
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'address street streetaddress addressline1',
  }),
  Address2: text({
    max: 200,
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'addressline2 unit apartment',
  }),
  City: text({ max: 100, resource: true, input: true, download: true, csv: 'town' }),
  State: text({ max: 100, resource: true, input: true, download: true, csv: 'province region' }),
  Zip: zip({ resource: true, input: true, download: true, csv: 'zipcode postalcode postcode' }),
  Phone: phone({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'phone1 primaryphone mainphone phonenumber telephone mobile mobilephone cellphone cell',
    description: 'As typed; matching normalizes it.',
  }),
  AltPhone: phone({
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'phone2 secondaryphone alternatephone otherphone homephone workphone',
  }),
  PhoneLabel: text({ max: 50, resource: true, input: true, download: true, csv: 'phone1label' }),
  AltPhoneLabel: text({ max: 50, resource: true, input: true, download: true, csv: 'phone2label' }),
  Email: text({
    max: 254,
    resource: true,
    input: true,
    download: true,
    personal: 'identity',
    csv: 'mail emailaddress email1 primaryemail',
  }),
  Country: text({ max: 100, resource: true, input: true, download: true }),
  LocationID: text({ max: 100, resource: true, readOnly: true }),
  TerritoryID: text({ max: 100, resource: true, input: true, csv: 'territory' }),
  LeadSource: text({ max: 200, resource: true, input: true, download: true, csv: 'source' }),
  Channel: text({ max: 200, resource: true, input: true, download: true }),
  Campaign: text({ max: 200, resource: true, input: true, download: true }),
  Category: text({
    max: 100,
    resource: true,
    input: true,
    download: true,
    csv: 'type contacttype',
    description: "Customer, Lead or one of the account's own categories.",
  }),
  ChannelId: id({ absent: 0, resource: true, download: true }),
  CampaignId: id({ absent: 0, resource: true, download: true }),
  UtmMedium: text({ max: 500, resource: true, input: true, download: true }),
  UtmSource: text({ max: 500, resource: true, input: true, download: true }),
  UtmCampaign: text({ max: 500, resource: true, input: true, download: true }),
  IsCustomer: flag({
    resource: true,
    input: true,
    download: true,
    description: 'True from the first accepted proposal, completed appointment or invoice.',
  }),
  DigitalTrackingId: text({ max: 500, resource: true, input: true, download: true, csv: 'customerid' }),
  ReferredByContactId: id({ nullable: true, resource: true, input: true, download: true }),
  OwnerUserId: id({ nullable: true, resource: true, input: true, download: true }),
  ReferredByHash: text({ resource: true, input: true }),
  ManagedByContactId: id({ nullable: true, resource: true, input: true, download: true }),
  AutoOfferCode: text({ max: 100, resource: true, input: true }),
  FlashMessage: text({ max: 1000, resource: true, input: true, personal: 'written' }),
  Unsubscribed: flag({ resource: true, input: true, download: true, csv: 'optout' }),
  NamedTaxRate: given(),
  // The payment fields are empty unless the request sets ReturnPmtOnFile.
  PmtOnFileKind: text({ max: 50, resource: true, input: true, secret: true }),
  PmtOnFileLast4: text({ max: 4, resource: true, input: true, secret: true }),
  PmtOnFileExpDate: text({ max: 10, resource: true, input: true, secret: true, description: 'YYYY-MM.' }),
  UpdatePaymentOnFileUrl: given(
    text({
      max: 2048,
      readOnly: true,
      description: `Page on which the client saves a card, where a payment provider is connected. ${CLIENT_LINK}`,
    }),
  ),
  ClientUrl: given(
    text({
      max: 2048,
      readOnly: true,
      extension: true,
      description: `Page with the visits, open proposals and invoices, and papers of the client. ${CLIENT_LINK}`,
    }),
  ),
  BookingUrl: given(
    text({
      max: 2048,
      readOnly: true,
      extension: true,
      description: `Page on which this client books a visit, known to the company. ${CLIENT_LINK}`,
    }),
  ),
  /**
   * Sum of its payments that count as credit; absent until the first one. Negative if a provider took back credit that
   * was already used.
   */
  CreditBalance: decimal({
    optional: true,
    resource: true,
    readOnly: true,
    extension: true,
    download: true,
    description: 'Paid beyond its invoices: payment/import with Method Credit uses it.',
  }),
  DoNotText: flag({ resource: true, input: true, download: true }),
  DoNotEmail: flag({ resource: true, input: true, download: true }),
  EmailProblem: text({
    max: 500,
    resource: true,
    input: true,
    extension: true,
    personal: 'written',
    description: 'Why no e-mail is sent to Email, which it begins with; over when either of them changes.',
  }),
  Language: text({
    max: 50,
    resource: true,
    input: true,
    extension: true,
    csv: 'preferredlanguage idioma',
    description:
      'The language of messages to the client: en, English, es-MX, Spanish, español. With any other value, or empty, ' +
      "it is that of the organization's messages.",
  }),
  AccountingClass: object(postalClass, { nullable: true, readOnly: true }),
  /** The newest notes. Older ones are on pages of their own, because an item holds at most 400 KB. */
  Notes: listOf(noteFields, { personal: 'written', csv: 'note comments comment' }),
  CustomFields: listOf(customValue, { personal: 'written' }),
  Tags: listOf({ Id: id(), Name: text() }, { csv: 'tag labels' }),
  ContactPictures: listOf(pictureOfContact, { resource: true, readOnly: true }),
  ContactDocuments: listOf(fileOfContact, { resource: true, readOnly: true }),
  /** By id. Written in the same transaction as the invoices and proposals (lib/store/contacts/contacts.ts). */
  OpenInvoices: mapOf(openDocument, { readOnly: true }),
  OpenProposals: mapOf(openDocument, { readOnly: true }),
  IsValid: given(flag({ readOnly: true, description: 'Has a Name or Company, and an e-mail, phone or full address.' })),
  HasIdentifyingInfo: given(
    flag({ readOnly: true, description: 'Has a name, e-mail, phone, address or DigitalTrackingId.' }),
  ),
  /** Absent until the contact becomes a customer. */
  CustomerSince: moment({ optional: true, download: true }),
  /** Sum of its payments minus refunds; absent until the first payment. */
  LifetimeValue: decimal({ optional: true, download: true }),
  NamedTaxRateId: id({ nullable: true, download: true }),
  /**
   * The customer id of the saved card at the payment provider, and when the client saved it; absent until the first
   * one.
   */
  PmtOnFileCustomer: text({ optional: true }),
  PmtOnFileSavedAt: moment({ optional: true }),
  NotePages: number(),
  /** Note pages up to this number are removed. */
  NotePagesRemoved: number({ optional: true }),
  /** When its oldest note that describes no call was added, for retention rules; absent without notes. */
  OldestNote: moment({ optional: true }),
  /** Phone and AltPhone in E.164 form, which searches compare; `""` if empty. */
  PhoneKey: text(),
  AltPhoneKey: text(),
  /** How often its links were revoked; absent until the first time. */
  LinksRevoked: number({ optional: true }),
  /**
   * Contacts that were merged into it, directly or through others, the last merge last; calls can still find it by
   * their values.
   */
  MergedContacts: listOf(mergedContact, { personal: 'written' }),
  /** The contact that it was merged into, which represents it in every call. */
  MergedInto: id({ optional: true }),
  /** Number of running merges and undos that move credit to or from it; until they end, the credit cannot be used. */
  CreditHolds: number({ optional: true }),
  /** How often the merged contact's links had been revoked when it was merged. */
  MergedLinksRevoked: number({ optional: true }),
  ...history,
});
export type ContactRecord = RecordOf<typeof contactEntity>;

/** 32 hexadecimal digits in upper or lower case; older hashes have 22 case-sensitive characters. */
const contactHash = () => {
  const { output, input } = contract.text(64);
  return contract.field(
    output,
    input.overwrite((hash) => (/^\s*[0-9a-f]{32}\s*$/i.test(hash) ? hash.trim().toLowerCase() : hash)),
    [],
  );
};

export const Contact = /* @__PURE__ */ resourceOf(contactEntity, { carriesResult: true }, () => ({
  Hash: contract.described(
    contactHash(),
    'Unguessable public id, for referrals and survey links: 32 hexadecimal digits.',
  ),
  ReferredByHash: contactHash(),
  NamedTaxRate: contract.nested(NamedTaxRate),
  AccountingClass: contract.nested(AccountingClassPostalCodes),
  Notes: contract.many(Note),
  CustomFields: contract.many(CustomField),
  Tags: contract.list(contract.text(100)),
  ContactPictures: contract.many(ContactPicture),
  ContactDocuments: contract.many(ContactDocument),
  OpenInvoices: contract.many(ServiceDocumentLink),
  OpenProposals: contract.many(ServiceDocumentLink),
}));
export type Contact = Output<typeof Contact>;
