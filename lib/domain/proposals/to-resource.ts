import {
  type ChildProposal,
  type ProposalLineRecord,
  type ProposalRecord,
  proposalEntity,
} from '../../entities/proposals.ts';
import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Proposal, ProposalLine, ProposalSummary } from '../../resources/proposals.ts';
import { toLocalDate } from '../../shared/time/zones.ts';
import { toUtc } from '../../shared/time/time.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import type { ClientLink } from '../links.ts';
import { partToResource } from '../pricebook/part-to-resource.ts';
import { type LinePlacement, linePlacements } from './assembly-lines.ts';
import { expandParts } from './record.ts';
import { ProposalStatus, proposalStatusName, statusAt } from './status.ts';

/** What a proposal's resource contains besides the record. */
export interface ProposalRelations {
  /** Milliseconds since 1970: an open proposal beyond its time is Expired. */
  readonly now: number;
  readonly contact: Contact | null;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  readonly link: ClientLink;
  /** The lines, if they are known; otherwise they are made of the record. */
  readonly lines?: Proposal['ProposalLines'] | undefined;
}

const toSummary = ({ Id, ServiceId, ServiceName, Date, Status }: ChildProposal): ProposalSummary => ({
  Id,
  Service: { Id: ServiceId, Name: ServiceName },
  Date,
  Status: proposalStatusName(Status),
});

function linesToResource(record: ProposalRecord, definitions: readonly CustomField[]): ProposalLine[] {
  const { parts, templates } = expandParts(record.Book);
  const placements = linePlacements(record.Lines, parts);
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
      Discount: line.Discount,
      LineDescription: line.LineDescription,
      Notes: line.Notes,
      SortIndex: line.SortIndex,
      AssemblyLineId: line.AssemblyLineId,
      IsInternal: placement?.internal ?? line.IsInternal,
      Part: part ? partToResource(part, partRelations) : null,
      ProposalOption: option ? { ...option } : null,
      CustomFields: customFieldsToResource(line.CustomFields, definitions),
    };
  }

  return record.Lines.map((line) => toLine(line, placements.get(line.Id)));
}

/** Whether the lines of two records become the same resource. */
export const haveSameLines = (one: ProposalRecord, other: ProposalRecord): boolean =>
  one.Lines === other.Lines && one.Book === other.Book && one.Options === other.Options;

/** Whether the client may open it: not while it is internal, and not while it is a quote. */
export const isShownToClient = ({ Id, Status }: Pick<ProposalRecord, 'Id' | 'Status'>): boolean =>
  Id !== 0 && Status !== ProposalStatus.Internal;

/** The complete proposal, in answers and events. */
export function proposalToResource(
  record: ProposalRecord,
  { now, contact, definitions, link, lines = linesToResource(record, definitions) }: ProposalRelations,
): Proposal {
  const selected = record.Options.find(({ Selected }) => Selected);
  const { AcceptedAt, Zone } = record;
  return proposalEntity.toResource(record, {
    ...proposalEntity.resource,
    Contact: contact,
    ClientUrl: isShownToClient(record) ? link('proposal', record.Id, record.LinksRevoked ?? 0) : '',
    Status: proposalStatusName(statusAt(record, now)),
    AcceptedDate: AcceptedAt === null ? '' : toLocalDate(AcceptedAt, Zone),
    SelectedSolution: selected ? { Id: selected.Id, Name: selected.Name } : null,
    ProposalLines: lines,
    ChangeOrders: record.ChangeOrders.map(toSummary),
    BundledProposals: record.BundledProposals.map(toSummary),
    ProposalNotes: record.ProposalNotes.map(({ Id, Note, CreatedAt }) => ({
      Id,
      ProposalId: record.Id,
      Note,
      CreatedAt: toUtc(CreatedAt),
    })),
    CustomFields: customFieldsToResource(record.CustomFields, definitions),
  });
}
