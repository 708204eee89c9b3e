import type { ContactRecord } from '../../entities/contacts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { type ServiceRecord, serviceEntity } from '../../entities/services.ts';
import type { EstimateRow } from '../../domain/imports/read-estimate.ts';
import { applyProposalInput } from '../../domain/proposals/apply-input.ts';
import type { ProposalReferences } from '../../domain/proposals/input.ts';
import { draftProposal } from '../../domain/proposals/record.ts';
import { fromCents } from '../../shared/money.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { proposalChanges, queryProposals } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { finalize } from '../proposals/proposal-context.ts';
import { byReference } from './by-reference.ts';

/** The first line of a proposal's first note, with the id of its estimate in the other system. */
const REFERENCE = /^Imported from (\S+)$/m;

/** The references of the estimates that earlier imports made for a contact, and their proposals. */
export const findImportedEstimates = (
  { store, now }: WriteContext,
  contact: number,
): Promise<Map<string, ProposalRecord>> =>
  byReference(
    async (page) =>
      (await queryProposals(store, { contact, date: {}, updated: {}, accepted: {}, ...page }, now)).proposals,
    ({ ProposalNotes: [first] }) => REFERENCE.exec(first?.Note ?? '')?.[1],
  );

/**
 * Plans an Internal proposal for an estimate of another system: one line with its amount, for a service that costs
 * nothing by itself. Tax, discount and status of the estimate go into its note. Writes nothing: returns the changes.
 */
export async function importEstimate(
  row: EstimateRow,
  { contact, service }: { readonly contact: ContactRecord; readonly service: ServiceRecord },
  context: WriteContext,
): Promise<{ readonly record: ProposalRecord; readonly changes: readonly Change[] }> {
  const { store, now } = context;
  const [organization, [Id = 0], lines, notes] = await Promise.all([
    getOrganization(store, contact.OrganizationId),
    reserveIds(store, 'Proposal', 1),
    reserveIds(store, 'ProposalLine', 1),
    reserveIds(store, 'ProposalNote', 1),
  ]);
  const { Name, OrganizationId } = service;
  const references: ProposalReferences = {
    now: now.getTime(),
    contact: { ...contact, NamedTaxRateId: null },
    service: serviceEntity.blank({ Id: service.Id, Name, OrganizationId }),
    parts: new Map(),
    templates: new Map(),
    country: organization.Country,
    definitions: [],
    taxRates: [],
    owners: [],
    agentIds: new Set(),
    agentAdvice: '',
    allowLoopback: false,
    ids: { lines, options: [], notes },
  };
  const input = {
    ServiceId: service.Id,
    Date: row.day,
    Title: `Estimate ${row.number}`.slice(0, 500),
    Description: row.description,
    ProposalLines: [
      {
        LineDescription: row.description || `Estimate ${row.number}`,
        Quantity: 1,
        UnitPrice: fromCents(row.total),
        Taxable: false,
      },
    ],
    ProposalNotes: [{ Note: [`Imported from ${row.reference}`, row.notes].filter(Boolean).join('\n') }],
  };
  const blank = draftProposal(Id, organization, contact.Id, now.getTime());
  const proposal = await finalize(context, blank, applyProposalInput(blank, input, references), []);
  const { record, change, expiry, contactSummary } = proposalChanges(store, {
    before: undefined,
    after: proposal,
    now,
  });
  const summary = contactSummaryChanges(store, contact.Id, contactSummary, now);
  return { record, changes: [change, ...expiry, ...summary] };
}
