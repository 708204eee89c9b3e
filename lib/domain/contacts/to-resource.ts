import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import { type ContactRecord, flagFields, hasIdentifyingInfo, isValid, referenceFields, textFields } from './record.ts';

/** The account's lists that a contact's complete form draws on. */
export interface ContactLists {
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** How a contact is to be shown. */
export interface ContactRelations {
  readonly lists: ContactLists;
  /** Where client links begin. */
  readonly baseUrl: string;
  /** The payment on file is shown only to those who ask for it. */
  readonly paymentOnFile: boolean;
}

/** What a contact shows just as it is kept. */
const asKept = [
  ...textFields,
  ...flagFields,
  ...referenceFields,
  'Id',
  'Hash',
  'OrganizationId',
  'LocationID',
  'ChannelId',
  'CampaignId',
  'Notes',
  'ContactPictures',
  'ContactDocuments',
] as const satisfies readonly (keyof ContactRecord & keyof Contact)[];

/** By date, then id. */
const linksOf = (open: ContactRecord['OpenInvoices'], page: string): Contact['OpenInvoices'] =>
  Object.entries(open)
    .map(([id, { Date, Service, HashKey }]) => ({ Date, Service, Link: `${page}/${HashKey}`, Id: Number(id) }))
    .sort((a, b) => a.Date.localeCompare(b.Date) || a.Id - b.Id);

/** The complete contact as every operation answers it. */
export function contactToResource(record: ContactRecord, { lists, baseUrl, paymentOnFile }: ContactRelations): Contact {
  const kept: Record<string, unknown> = {};
  for (const name of asKept) kept[name] = record[name];
  const { AccountingClass, Zip, Hash } = record;
  return {
    ...(kept as Pick<ContactRecord, (typeof asKept)[number]>),
    ...(paymentOnFile ? {} : { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' }),
    NamedTaxRate: lists.taxRates.find(({ Id }) => Id === record.NamedTaxRateId) ?? null,
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
    Tags: record.Tags.map(({ Name }) => Name),
    CustomFields: customFieldsToResource(record.CustomFields, lists.customFields),
    OpenInvoices: linksOf(record.OpenInvoices, `${baseUrl}/client/invoice`),
    OpenProposals: linksOf(record.OpenProposals, `${baseUrl}/client/proposal`),
    UpdatePaymentOnFileUrl: `${baseUrl}/client/payment-method/${Hash}`,
    IsValid: isValid(record),
    HasIdentifyingInfo: hasIdentifyingInfo(record),
  };
}
