import type { ProposalLineRecord, ProposalRecord } from '../../entities/proposals.ts';
import { type Json, canonical } from '../../shared/text/canonical-json.ts';
import { add } from '../../shared/money.ts';
import { linePlacements } from '../proposals/assembly-lines.ts';
import { blankProposal, depositDue } from '../proposals/record.ts';
import type { Signature } from './signature.ts';

/**
 * Who accepted a proposal, from where and when (ISO 8601, UTC). SignatureSha256 is the SHA-256 of the picture,
 * RecordSha256 that of the fixed fields. A type, not an interface, because only a type is assignable to JSON.
 */
type Acceptance = {
  readonly AccountId: string;
  readonly Name: string;
  /** The text that the client agreed to on a page. */
  readonly Agreement?: string;
  readonly IpAddress: string;
  readonly AcceptedAt: string;
  readonly SignatureType: Signature['type'];
  readonly SignatureSha256: string;
  readonly RecordSha256: string;
};

/** The permanent record of an acceptance; the SHA-256 of its canonical JSON identifies it. */
export type Evidence = { readonly Proposal: ReturnType<typeof signedContent>; readonly Acceptance: Acceptance };

const lineContent = (line: ProposalLineRecord, name: string, optionId: number | null) => ({
  Id: line.Id,
  PartId: line.PartId,
  Name: name,
  LineDescription: line.LineDescription,
  Notes: line.Notes,
  OptionId: optionId,
  AssemblyLineId: line.AssemblyLineId,
  Counts: line.Counts,
  Quantity: line.Quantity,
  UnitPrice: line.UnitPrice,
  RatePercent: line.RatePercent,
  Discount: line.Discount,
  ExtendedTotal: line.ExtendedTotal,
  Taxable: line.Taxable,
  LineTax: line.LineTax,
});

/**
 * What a signature fixes: every line but internal ones, all options with the selection, every amount, tax rate and
 * deposit. It leaves out what may change afterwards (status, notes to the proposal, owner, custom fields, links from
 * other proposals) and what clients must not see (costs, the price book).
 */
export function signedContent(proposal: ProposalRecord) {
  const parts = new Map(proposal.Book.Parts.map((part) => [part.Id, part]));
  const flags = new Map(
    proposal.Book.Parts.map(({ Id, IsInternalizeAssemblyItems = false }) => [Id, { IsInternalizeAssemblyItems }]),
  );
  const placements = linePlacements(proposal.Lines, flags);
  return {
    Id: proposal.Id,
    OrganizationId: proposal.OrganizationId,
    ContactId: proposal.ContactId,
    Date: proposal.Date,
    Title: proposal.Title,
    ServiceId: proposal.ServiceId,
    ServiceName: proposal.ServiceName,
    Description: proposal.Description,
    CustomerNotes: proposal.CustomerNotes,
    ChangeOrderForProposalId: proposal.ChangeOrderForProposalId,
    BundleWithProposalId: proposal.BundleWithProposalId,
    Quantity: proposal.Quantity,
    BasePrice: proposal.BasePrice,
    UnitPrice: proposal.UnitPrice,
    Taxable: proposal.Taxable,
    ServiceTax: proposal.ServiceTax,
    Options: proposal.Options.map(({ Id, Name, Selected }) => ({ Id, Name, Selected })),
    Lines: proposal.Lines.flatMap((line) => {
      const { internal, optionId } = placements.get(line.Id) ?? { internal: line.IsInternal, optionId: line.OptionId };
      return internal ? [] : [lineContent(line, parts.get(line.PartId)?.Name ?? '', optionId)];
    }),
    TaxRate: proposal.NamedTaxRate && { Name: proposal.NamedTaxRate.Name, Percent: proposal.NamedTaxRate.TaxRate },
    TaxableSubtotal: proposal.TaxableSubtotal,
    Subtotal: proposal.Subtotal,
    Tax: proposal.Tax,
    Total: add(proposal.Subtotal, proposal.Tax),
    DepositRate: proposal.DepositRate,
    DepositRequired: proposal.DepositRequired,
    Deposit: depositDue(proposal),
    IncludePaymentPlans: proposal.IncludePaymentPlans,
    PaymentPlanRequired: proposal.PaymentPlanRequired,
    DistributeParts: proposal.DistributeParts,
  };
}

/** What may change once a proposal is signed, through requests or through other records. */
export const CHANGEABLE_AFTER_SIGNING = [
  'Status',
  'ProposalNotes',
  'OwnerUserId',
  'CustomFields',
  'AccountingClass',
  'ChangeOrders',
  'BundledProposals',
  'DepositCredits',
  'Billed',
  'VisitsToQueue',
  'LinksRevoked',
  'Updated',
  'V',
] as const satisfies readonly (keyof ProposalRecord)[];

/** Set by the acceptance and compared with it one by one (verify.ts). */
const COMPARED_WITH_ACCEPTANCE = ['AcceptedAt', 'EvidenceSha256'] as const satisfies readonly (keyof ProposalRecord)[];

const UNFIXED: ReadonlySet<string> = new Set([...CHANGEABLE_AFTER_SIGNING, ...COMPARED_WITH_ACCEPTANCE]);

/**
 * The canonical text of all stored fields that cannot change once the proposal is signed, costs, internal lines and the
 * price book included. The evidence has only its hash, because clients must not see some of them.
 */
export function fixedFields(proposal: ProposalRecord): string {
  const { Id, OrganizationId, ContactId, Zone, Date, Created } = proposal;
  const blank = blankProposal({ Id, OrganizationId, ContactId, Zone, Date, Created });
  // Proposals of version 0.1 have a HashKey, and it is part of what was signed.
  const known = [...Object.keys(blank), ...('HashKey' in proposal ? ['HashKey'] : [])] as (keyof ProposalRecord)[];
  const names = known.filter((name) => !UNFIXED.has(name));
  const fields = Object.fromEntries(names.map((name) => [name, proposal[name]]));
  return canonical(JSON.parse(JSON.stringify(fields)) as Json);
}
