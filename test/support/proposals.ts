import { NO_LINKS } from '../../lib/domain/client-pages.ts';
import type { ProposalRecord, Proposal } from '../../lib/entities/proposals.ts';
import { applyProposalInput } from '../../lib/domain/proposals/apply-input.ts';
import type { ProposalInput, ProposalReferences } from '../../lib/domain/proposals/input.ts';
import { finalizeProposal } from '../../lib/domain/proposals/price.ts';
import { blankProposal, proposalToResource } from '../../lib/domain/proposals/record.ts';
import type { FieldError } from '../../lib/shared/failure.ts';
import { service } from './pricing.ts';

export const NOW = Date.UTC(2026, 10, 21, 15, 30);

const numbers = (from: number): number[] => Array.from({ length: 300 }, (_, index) => from + index);

/** What proposals refer to: by default a service at 100.00, no parts, no taxes. */
export const references = (overrides: Partial<ProposalReferences> = {}): ProposalReferences => ({
  now: NOW,
  contact: { CustomFields: [], NamedTaxRateId: null, AccountingClass: null, Zip: '' },
  service: service({ BasePrice: 100, Description: 'All of them.' }),
  parts: new Map(),
  templates: new Map(),
  country: 'US',
  definitions: [],
  taxRates: [],
  owners: [],
  agentIds: new Set(),
  agentAdvice: '',
  allowLoopback: false,
  ids: { lines: numbers(1), options: numbers(1), notes: numbers(1) },
  ...overrides,
});

export type ProposalOrErrors = ProposalRecord | readonly FieldError[];

function applyInput(
  before: ProposalRecord,
  input: ProposalInput,
  of: ProposalReferences,
  lineIds: readonly number[],
): ProposalOrErrors {
  const result = finalizeProposal(before, applyProposalInput(before, input, of), {
    definitions: of.definitions,
    lineIds,
  });
  return result.kind === 'invalid' ? result.errors : result.proposal;
}

const expectProposal = (answer: ProposalOrErrors): ProposalRecord => {
  if (!('Id' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
};

/** As proposal/create does it: the lines are 1, 2, 3 …, the items of assemblies 51, 52, …. */
export const tryCreate = (input: ProposalInput, of: ProposalReferences): ProposalOrErrors =>
  applyInput(
    blankProposal({
      Id: 9,
      OrganizationId: 1,
      ContactId: 7,
      Zone: 'America/New_York',
      Date: '2026-11-21',
      Created: NOW,
    }),
    input,
    of,
    numbers(51),
  );
export const createdProposal = (input: ProposalInput, of: ProposalReferences): ProposalRecord => ({
  ...expectProposal(tryCreate(input, of)),
  V: 1,
});

/** As proposal/update changes it; new lines are 101, 102 …, items 151, …; the service is the proposal's by default. */
export const tryUpdate = (before: ProposalRecord, input: ProposalInput, of: ProposalReferences): ProposalOrErrors =>
  applyInput(
    before,
    input,
    { ...of, ids: { lines: numbers(101), options: numbers(101), notes: numbers(101) } },
    numbers(151),
  );
export const updatedProposal = (before: ProposalRecord, input: ProposalInput, of: ProposalReferences): ProposalRecord =>
  expectProposal(tryUpdate(before, input, of));

const toResource = (record: ProposalRecord, { definitions }: Pick<ProposalReferences, 'definitions'>): Proposal =>
  proposalToResource(record, { now: NOW, contact: null, definitions, link: NO_LINKS });

/** What a typed client sends after reading the proposal: all of it, as answered. */
export const toInput = (record: ProposalRecord, of: Pick<ProposalReferences, 'definitions'>): ProposalInput =>
  JSON.parse(JSON.stringify(toResource(record, of))) as ProposalInput;

/** `Subtotal + Tax`, as text. */
export const describeTotal = ({ Subtotal, Tax }: ProposalRecord): string =>
  `${Subtotal.toFixed(2)} + ${Tax.toFixed(2)}`;
