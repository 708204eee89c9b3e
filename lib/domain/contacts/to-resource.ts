import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { withoutSecrets } from '../../entities/declaration/marks.ts';
import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import type { TakesPayments } from '../client-payments.ts';
import type { ClientLink } from '../links.ts';
import { hasIdentifyingInfo, isValid, noteToResource } from './record.ts';

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
  readonly link: ClientLink;
  readonly takesPayments: TakesPayments;
}

/** Open documents by date, then id. */
const toDocumentLinks = (
  documents: ContactRecord['OpenInvoices'],
  linkOf: (id: number, generation: number) => string,
): Contact['OpenInvoices'] =>
  Object.entries(documents)
    .map(([id, { Date, Service, LinksRevoked = 0 }]) => {
      const Id = Number(id);
      return { Date, Service, Link: linkOf(Id, LinksRevoked), Id };
    })
    .sort((a, b) => a.Date.localeCompare(b.Date) || a.Id - b.Id);

const NO_PAYMENT_ON_FILE = withoutSecrets(contactEntity.fields);

export function contactToResource(
  record: ContactRecord,
  { lists, paymentOnFile, link, takesPayments }: ContactRelations,
): Contact {
  const { AccountingClass, Zip } = record;
  const resource = contactEntity.toResource(record, {
    ...contactEntity.resource,
    Notes: record.Notes.map(noteToResource),
    NamedTaxRate: lists.taxRates.find(({ Id }) => Id === record.NamedTaxRateId) ?? null,
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
    Tags: record.Tags.map(({ Name }) => Name),
    CustomFields: customFieldsToResource(record.CustomFields, lists.customFields),
    OpenInvoices: toDocumentLinks(record.OpenInvoices, (id, generation) => link('invoice', id, generation)),
    OpenProposals: toDocumentLinks(record.OpenProposals, (id, generation) => link('proposal', id, generation)),
    UpdatePaymentOnFileUrl: takesPayments(record.OrganizationId)
      ? link('card', record.Id, record.LinksRevoked ?? 0)
      : '',
    IsValid: isValid(record),
    HasIdentifyingInfo: hasIdentifyingInfo(record),
  });
  return paymentOnFile ? resource : { ...resource, ...NO_PAYMENT_ON_FILE };
}
