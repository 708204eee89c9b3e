import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import { noteToResource } from './notes.ts';
import { type ContactRecord, hasIdentifyingInfo, isValid } from './record.ts';

/** The lists of the account that a contact's resource quotes. */
export interface ContactLists {
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** What a contact's resource needs besides the contact. */
interface ContactRelations {
  readonly lists: ContactLists;
  /** Whether the response includes the payment on file. */
  readonly paymentOnFile: boolean;
}

/** Open documents by date, then id. They have no page for clients, and so no link (decision 12). */
const toDocumentLinks = (documents: ContactRecord['OpenInvoices']): Contact['OpenInvoices'] =>
  Object.entries(documents)
    .map(([id, { Date, Service }]) => ({ Date, Service, Link: '', Id: Number(id) }))
    .sort((a, b) => a.Date.localeCompare(b.Date) || a.Id - b.Id);

export function contactToResource(record: ContactRecord, { lists, paymentOnFile }: ContactRelations): Contact {
  const { AccountingClass, Zip } = record;
  return {
    Name: record.Name,
    Nickname: record.Nickname,
    Company: record.Company,
    Address1: record.Address1,
    Address2: record.Address2,
    City: record.City,
    State: record.State,
    Zip: record.Zip,
    Phone: record.Phone,
    AltPhone: record.AltPhone,
    PhoneLabel: record.PhoneLabel,
    AltPhoneLabel: record.AltPhoneLabel,
    Email: record.Email,
    Country: record.Country,
    LeadSource: record.LeadSource,
    Channel: record.Channel,
    Campaign: record.Campaign,
    Category: record.Category,
    UtmMedium: record.UtmMedium,
    UtmSource: record.UtmSource,
    UtmCampaign: record.UtmCampaign,
    DigitalTrackingId: record.DigitalTrackingId,
    ReferredByHash: record.ReferredByHash,
    AutoOfferCode: record.AutoOfferCode,
    FlashMessage: record.FlashMessage,
    PmtOnFileKind: paymentOnFile ? record.PmtOnFileKind : '',
    PmtOnFileLast4: paymentOnFile ? record.PmtOnFileLast4 : '',
    PmtOnFileExpDate: paymentOnFile ? record.PmtOnFileExpDate : '',
    TerritoryID: record.TerritoryID,
    IsCustomer: record.IsCustomer,
    Unsubscribed: record.Unsubscribed,
    DoNotText: record.DoNotText,
    DoNotEmail: record.DoNotEmail,
    ReferredByContactId: record.ReferredByContactId,
    OwnerUserId: record.OwnerUserId,
    ManagedByContactId: record.ManagedByContactId,
    Id: record.Id,
    Hash: record.Hash,
    LocationID: record.LocationID,
    ChannelId: record.ChannelId,
    CampaignId: record.CampaignId,
    Notes: record.Notes.map(noteToResource),
    ContactPictures: record.ContactPictures,
    ContactDocuments: record.ContactDocuments,
    OrganizationId: record.OrganizationId,
    NamedTaxRate: lists.taxRates.find(({ Id }) => Id === record.NamedTaxRateId) ?? null,
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
    Tags: record.Tags.map(({ Name }) => Name),
    CustomFields: customFieldsToResource(record.CustomFields, lists.customFields),
    OpenInvoices: toDocumentLinks(record.OpenInvoices),
    OpenProposals: toDocumentLinks(record.OpenProposals),
    UpdatePaymentOnFileUrl: '',
    IsValid: isValid(record),
    HasIdentifyingInfo: hasIdentifyingInfo(record),
  };
}
