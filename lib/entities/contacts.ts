import { customValue } from './custom-values.ts';
import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, flag, history, id, listOf, mapOf, moment, number, object, text } from './fields.ts';
import { postalClass } from './postal-classes.ts';

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
  Filename: text(),
  AppointmentId: id({ nullable: true }),
  Notes: text(),
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

/** A contact as it is stored. */
export const contactEntity = entity('Contact', {
  Id: id({ resource: true }),
  OrganizationId: id({ resource: true }),
  Hash: text({ required: true, resource: true }),
  Name: text({ resource: true }),
  Nickname: text({ resource: true }),
  Company: text({ resource: true }),
  Address1: text({ resource: true }),
  Address2: text({ resource: true }),
  City: text({ resource: true }),
  State: text({ resource: true }),
  Zip: text({ resource: true }),
  Phone: text({ resource: true }),
  AltPhone: text({ resource: true }),
  PhoneLabel: text({ resource: true }),
  AltPhoneLabel: text({ resource: true }),
  Email: text({ resource: true }),
  Country: text({ resource: true }),
  LocationID: text({ resource: true }),
  TerritoryID: text({ resource: true }),
  LeadSource: text({ resource: true }),
  Channel: text({ resource: true }),
  Campaign: text({ resource: true }),
  Category: text({ resource: true }),
  ChannelId: id({ absent: 0, resource: true }),
  CampaignId: id({ absent: 0, resource: true }),
  UtmMedium: text({ resource: true }),
  UtmSource: text({ resource: true }),
  UtmCampaign: text({ resource: true }),
  IsCustomer: flag({ resource: true }),
  /** Absent until the contact becomes a customer. */
  CustomerSince: moment({ optional: true }),
  /** The sum of its payments less refunds; absent until the first payment. */
  LifetimeValue: number({ optional: true }),
  DigitalTrackingId: text({ resource: true }),
  ReferredByContactId: id({ nullable: true, resource: true }),
  ReferredByHash: text({ resource: true }),
  OwnerUserId: id({ nullable: true, resource: true }),
  ManagedByContactId: id({ nullable: true, resource: true }),
  AutoOfferCode: text({ resource: true }),
  FlashMessage: text({ resource: true }),
  Unsubscribed: flag({ resource: true }),
  DoNotText: flag({ resource: true }),
  DoNotEmail: flag({ resource: true }),
  NamedTaxRateId: id({ nullable: true }),
  AccountingClass: object(postalClass, { nullable: true }),
  PmtOnFileKind: text({ resource: true }),
  PmtOnFileLast4: text({ resource: true }),
  PmtOnFileExpDate: text({ resource: true }),
  /** The newest. Older ones are on pages of their own: the contact's item holds at most 400 KB. */
  Notes: listOf(note),
  NotePages: number(),
  /** Pages up to this one are removed. */
  NotePagesRemoved: number({ optional: true }),
  /** When its oldest note was added that describes no call, for retention rules; absent without notes. */
  OldestNote: moment({ optional: true }),
  Tags: listOf({ Id: id(), Name: text() }),
  CustomFields: listOf(customValue),
  ContactPictures: listOf({ ...fileOfContact, Width: number(), Height: number() }, { resource: true }),
  ContactDocuments: listOf(fileOfContact, { resource: true }),
  /** By id. Written with the invoices and proposals, in their transactions (lib/store/contacts/contact-summary.ts). */
  OpenInvoices: mapOf(openDocument),
  OpenProposals: mapOf(openDocument),
  /** E.164 forms of Phone and AltPhone, which searches compare; `""` if empty. */
  PhoneKey: text(),
  AltPhoneKey: text(),
  /** How often its links were revoked; absent before the first time. */
  LinksRevoked: number({ optional: true }),
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
  CustomerSince: moment({ optional: true }),
  ...history,
});
export type ErasedContact = RecordOf<typeof erasedContactEntity>;

/** Whether an item is what stays of an erased contact. */
export const isErased = (item: Readonly<Record<string, unknown>>): boolean => item['ErasedAt'] !== undefined;
