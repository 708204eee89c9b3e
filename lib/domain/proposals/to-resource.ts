import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Proposal, ProposalLine, ProposalSummary } from '../../resources/proposals.ts';
import { toLocalDate, toUtc } from '../../shared/time/format-moments.ts';
import { pick } from '../../shared/objects.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import { partToResource } from '../pricebook/part-to-resource.ts';
import { type LinePlacement, linePlacements } from './assembly-lines.ts';
import {
  LINE_RESOURCE_FIELDS,
  PROPOSAL_RESOURCE_FIELDS,
  type ChildProposal,
  type ProposalLineRecord,
  type ProposalRecord,
  expandBook,
} from './record.ts';
import { proposalStatusName, statusAt } from './status.ts';

/** What a proposal's resource contains besides the record. */
export interface ProposalRelations {
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
export function proposalToResource(record: ProposalRecord, { now, contact, definitions }: ProposalRelations): Proposal {
  const { parts, templates } = expandBook(record.Book);
  const placements = linePlacements(record.Lines, parts);
  const selected = record.Options.find(({ Selected }) => Selected);
  const { AcceptedAt, Zone, AccountingClass } = record;
  const partRelations = { partName: (id: number) => parts.get(id)?.Name ?? '', partTemplates: templates };

  function toLine(line: ProposalLineRecord, placement: LinePlacement | undefined): ProposalLine {
    const part = parts.get(line.PartId);
    const option = record.Options.find(({ Id }) => Id === placement?.optionId);
    return {
      ...pick(line, ...LINE_RESOURCE_FIELDS),
      IsInternal: placement?.internal ?? line.IsInternal,
      Part: part ? partToResource(part, partRelations) : null,
      ProposalOption: option ? { ...option } : null,
      CustomFields: customFieldsToResource(line.CustomFields, definitions),
    };
  }

  return {
    ...pick(record, ...PROPOSAL_RESOURCE_FIELDS),
    Contact: contact,
    ClientUrl: '',
    Status: proposalStatusName(statusAt(record, now)),
    AcceptedDate: AcceptedAt === null ? '' : toLocalDate(AcceptedAt, Zone),
    NamedTaxRate: record.NamedTaxRate && { ...record.NamedTaxRate },
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
    CustomFields: customFieldsToResource(record.CustomFields, definitions),
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: [...AccountingClass.PostalCodes] },
  };
}
