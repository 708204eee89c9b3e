import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Proposal, ProposalLine, ProposalSummary } from '../../resources/proposals.ts';
import { toLocalDate, toUtc } from '../../shared/format-moments.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import { partToResource } from '../pricebook/part-to-resource.ts';
import { type LinePlacement, linePlacements } from './assembly-lines.ts';
import { type ChildProposal, type ProposalLineRecord, type ProposalRecord, expandBook } from './record.ts';
import { proposalStatusName, statusAt } from './status.ts';

/** What a proposal's resource contains besides the record. */
export interface ProposalRelations {
  /** The start of client links. */
  readonly baseUrl: string;
  /** Milliseconds since 1970: an open proposal beyond its time is Expired. */
  readonly now: number;
  readonly contact: Contact | null;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
}

const toSummary = ({ Id, ServiceId, ServiceName, Date, Status }: ChildProposal): ProposalSummary => ({
  Id,
  Service: { Id: ServiceId, Name: ServiceName },
  Date,
  Status: proposalStatusName(Status),
});

/** The complete proposal, in answers and events. */
export function proposalToResource(
  record: ProposalRecord,
  { baseUrl, now, contact, definitions }: ProposalRelations,
): Proposal {
  const { parts, templates } = expandBook(record.Book);
  const placements = linePlacements(record.Lines, parts);
  const selected = record.Options.find(({ Selected }) => Selected);
  const { AcceptedAt, Zone, AccountingClass } = record;
  const partRelations = { partName: (id: number) => parts.get(id)?.Name ?? '', partTemplates: templates };

  function toLine(line: ProposalLineRecord, placement: LinePlacement | undefined): ProposalLine {
    const part = parts.get(line.PartId);
    const option = record.Options.find(({ Id }) => Id === placement?.optionId);
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
      IsInternal: placement?.internal ?? line.IsInternal,
      Discount: line.Discount,
      LineDescription: line.LineDescription,
      Notes: line.Notes,
      SortIndex: line.SortIndex,
      AssemblyLineId: line.AssemblyLineId,
      Part: part ? partToResource(part, partRelations) : null,
      ProposalOption: option ? { ...option } : null,
      CustomFields: customFieldsToResource(line.CustomFields, definitions),
    };
  }

  return {
    Id: record.Id,
    ContactId: record.ContactId,
    Contact: contact,
    ClientUrl: `${baseUrl}/client/proposal/${record.HashKey}`,
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
    ProposalLines: record.Lines.map((line) => toLine(line, placements.get(line.Id))),
    ChangeOrders: record.ChangeOrders.map(toSummary),
    BundledProposals: record.BundledProposals.map(toSummary),
    ProposalNotes: record.ProposalNotes.map(({ Id, Note, CreatedAt }) => ({
      Id,
      ProposalId: record.Id,
      Note,
      CreatedAt: toUtc(CreatedAt),
    })),
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
