import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Proposal, ProposalLine, ProposalSummary } from '../../resources/proposals.ts';
import { toLocalDate, toUtc } from '../../shared/format-moments.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import { partToResource } from '../pricebook/part-to-resource.ts';
import { type LinePlacement, linePlacements } from './price.ts';
import {
  type ChildProposal,
  type ProposalLineRecord,
  type ProposalNoteRecord,
  type ProposalRecord,
  type ExpandedBook,
  expandBook,
} from './record.ts';
import { proposalStatusName, statusAt } from './status.ts';

/** How a proposal is to be shown. */
export interface ProposalRelations {
  /** Where client links begin. */
  readonly baseUrl: string;
  /** Milliseconds since 1970: an open proposal beyond its time shows as Expired. */
  readonly now: number;
  readonly contact: Contact | null;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
}

const summaryOf = ({ Id, ServiceId, ServiceName, Date, Status }: ChildProposal): ProposalSummary => ({
  Id,
  Service: { Id: ServiceId, Name: ServiceName },
  Date,
  Status: proposalStatusName(Status),
});

const noteOf = ({ Id, Note, CreatedAt }: ProposalNoteRecord, proposal: ProposalRecord) => ({
  Id,
  ProposalId: proposal.Id,
  Note,
  CreatedAt: toUtc(CreatedAt),
});

function lineOf(
  line: ProposalLineRecord,
  {
    book,
    standing,
    options,
    definitions,
  }: {
    book: ExpandedBook;
    standing: LinePlacement | undefined;
    options: ProposalRecord['Options'];
    definitions: readonly CustomField[];
  },
): ProposalLine {
  const part = book.parts.get(line.PartId);
  const option = options.find(({ Id }) => Id === standing?.optionId);
  const context = { partName: (id: number) => book.parts.get(id)?.Name ?? '', partTemplates: book.templates };
  return {
    Id: line.Id,
    Quantity: line.Quantity,
    UnitPrice: line.UnitPrice,
    UnitCost: line.UnitCost,
    RatePercent: line.RatePercent,
    MaxDiscount: line.MaxDiscount,
    ExtendedTotal: line.ExtendedTotal,
    LineTax: line.LineTax,
    Taxable: line.Taxable,
    IsInternal: standing?.internal ?? line.IsInternal,
    Discount: line.Discount,
    LineDescription: line.LineDescription,
    Notes: line.Notes,
    SortIndex: line.SortIndex,
    AssemblyLineId: line.AssemblyLineId,
    Part: part ? partToResource(part, context) : null,
    ProposalOption: option ? { ...option } : null,
    CustomFields: customFieldsToResource(line.CustomFields, definitions),
  };
}

/** Where a client sees the proposal and signs it: the handle alone says which. */
const clientUrl = (baseUrl: string, { HashKey }: ProposalRecord): string => `${baseUrl}/client/proposal/${HashKey}`;

/** The complete proposal as every operation answers it and events tell it. */
export function proposalToResource(
  record: ProposalRecord,
  { baseUrl, now, contact, definitions }: ProposalRelations,
): Proposal {
  const book = expandBook(record.Book);
  const standings = linePlacements(record.Lines, book.parts);
  const selected = record.Options.find(({ Selected }) => Selected);
  const { AcceptedAt, Zone, AccountingClass } = record;
  return {
    Id: record.Id,
    ContactId: record.ContactId,
    Contact: contact,
    ClientUrl: clientUrl(baseUrl, record),
    Date: record.Date,
    Status: proposalStatusName(statusAt(record, now)),
    AcceptedDate: AcceptedAt === null ? '' : toLocalDate(AcceptedAt, Zone),
    ServiceId: record.ServiceId,
    ServiceName: record.ServiceName,
    Description: record.Description,
    Duration: record.Duration,
    BasePrice: record.BasePrice,
    UnitPrice: record.UnitPrice,
    Quantity: record.Quantity,
    Subtotal: record.Subtotal,
    Tax: record.Tax,
    NamedTaxRate: record.NamedTaxRate && { ...record.NamedTaxRate },
    Taxable: record.Taxable,
    Title: record.Title,
    DeliveryUri: record.DeliveryUri,
    OwnerUserId: record.OwnerUserId,
    ServiceAgentId: record.ServiceAgentId,
    DepositRate: record.DepositRate,
    DepositRequired: record.DepositRequired,
    SelectedSolution: selected ? { Id: selected.Id, Name: selected.Name } : null,
    ProposalLines: record.Lines.map((line) =>
      lineOf(line, { book, standing: standings.get(line.Id), options: record.Options, definitions }),
    ),
    ChangeOrders: record.ChangeOrders.map(summaryOf),
    BundledProposals: record.BundledProposals.map(summaryOf),
    ProposalNotes: record.ProposalNotes.map((note) => noteOf(note, record)),
    CustomerNotes: record.CustomerNotes,
    ChangeOrderForProposalId: record.ChangeOrderForProposalId,
    BundleWithProposalId: record.BundleWithProposalId,
    IncludePaymentPlans: record.IncludePaymentPlans,
    PaymentPlanRequired: record.PaymentPlanRequired,
    DistributeParts: record.DistributeParts,
    CustomFields: customFieldsToResource(record.CustomFields, definitions),
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: [...AccountingClass.PostalCodes] },
  };
}
