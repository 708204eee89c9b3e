import { faulty } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { wholeBook } from '../../lib/domain/proposals/book.ts';
import { idsNeeded } from '../../lib/domain/proposals/needs.ts';
import { itemsToCome } from '../../lib/domain/proposals/price.ts';
import type { ToldProposal } from '../../lib/domain/proposals/merge.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { settleProposal } from '../../lib/domain/proposals/settle.ts';
import type { ProposalInput, Surroundings } from '../../lib/domain/proposals/surroundings.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import type { NamedTaxRate } from '../../lib/resources/taxes.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { cachedList } from '../../lib/store/lists.ts';
import { drawParts } from '../../lib/store/proposal-parts.ts';
import { findUsers } from '../../lib/store/users.ts';
import type { Home } from './home.ts';
import type { Writing } from './writing.ts';

/** More items of assemblies than a proposal has as a rule, so that their ids are at hand. */
const SPARE_IDS = 20;

/**
 * What a request draws on whosever proposal it is: parts, lists and ids. One round, and one more for each level of
 * assemblies.
 */
export async function drawnOn(
  { table, caller, now }: Writing,
  before: Pick<ProposalRecord, 'V' | 'Book'>,
  given: ProposalInput,
) {
  const { accountId } = caller;
  const needs = idsNeeded(before, given);
  const [drawn, definitions, taxRates, users, options, notes] = await Promise.all([
    drawParts(table, accountId, given.ProposalLines, wholeBook(before.Book).parts),
    cachedList<CustomField>(table, accountId, 'CustomField', now),
    cachedList<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    findUsers(table, caller, given.OwnerUserId ? [given.OwnerUserId] : []),
    leaseIds(table, accountId, 'ProposalOption', needs.options),
    leaseIds(table, accountId, 'ProposalNote', needs.notes),
    needs.lines ? stockIds(table, accountId, 'ProposalLine', needs.lines + SPARE_IDS) : undefined,
  ]);
  const lines = await leaseIds(table, accountId, 'ProposalLine', needs.lines);
  const userIds = new Set(users.map(({ Id }) => Id));
  return { ...drawn, definitions, taxRates, userIds, ids: { lines, options, notes } };
}

/** All that a proposal is told from. */
export const surroundingsOf = (
  { now }: Writing,
  drawn: Awaited<ReturnType<typeof drawnOn>>,
  { service, agentIds }: Home,
  contact: ContactRecord,
): Surroundings => ({
  ...drawn,
  service,
  agentIds,
  contact,
  now: now.getTime(),
  allowLoopback: process.env['STAGE'] === 'local',
});

/** A proposal as it was told, priced; 400 with every fault. */
export async function settled(
  { table, caller }: Writing,
  before: ProposalRecord,
  told: ToldProposal,
  definitions: readonly CustomField[],
): Promise<ProposalRecord> {
  const lineIds = await leaseIds(table, caller.accountId, 'ProposalLine', itemsToCome(told.proposal));
  const priced = settleProposal(before, told, { definitions, lineIds });
  if (priced.kind === 'faults') throw faulty(priced.faults);
  return priced.proposal;
}
