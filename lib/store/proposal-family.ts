import { hasLinkInput, parentIds, applyParentLink } from '../domain/proposals/family.ts';
import type { ProposalRecord } from '../domain/proposals/record.ts';
import type { ContactSummary } from './contact-summary.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { toRecord } from './dynamodb/records.ts';
import { layout } from './keys.ts';
import { proposalChanges } from './proposals.ts';

/** Change orders of change orders, bundled or not, go no further. */
export const MAX_ANCESTORS = 10;

/** Proposals by id, as far as they exist. One request, none where none is asked for. */
export async function findProposals(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<ProposalRecord[]> {
  const keys = [...new Set(ids)].map((id) => layout.proposal.key({ account, id }));
  return keys.length ? (await table.getMany(keys)).map((item) => toRecord<ProposalRecord>(item)) : [];
}

/** A proposal as it was read, and as it is from now on. */
interface State {
  readonly before: ProposalRecord | undefined;
  readonly after: ProposalRecord;
}

/**
 * Proposals in their next state, with those that list them, those that list these, and so on, as far as they list
 * something otherwise from now on: at most so many generations up as there may be ancestors. A round for each generation
 * that is not among `read`; none where nothing is listed otherwise.
 */
async function tellAbove(
  table: TableReader,
  account: string,
  changed: readonly State[],
  read: readonly ProposalRecord[] = [],
): Promise<State[]> {
  const known: State[] = [...read.map((proposal) => ({ before: proposal, after: proposal })), ...changed];
  const states = new Map(known.map((state) => [state.after.Id, state]));
  let told = changed.flatMap(({ before, after }) => (hasLinkInput(before, after) ? [after.Id] : []));
  for (let generation = 0; told.length && generation < MAX_ANCESTORS; generation++) {
    const above = told.flatMap((child) => {
      const state = states.get(child);
      return [...new Set([...parentIds(state?.before), ...parentIds(state?.after)])].map((parent) => ({
        child,
        parent,
      }));
    });
    const missing = above.flatMap(({ parent }) => (states.has(parent) ? [] : [parent]));
    const read = await findProposals(table, account, missing);
    for (const parent of read) states.set(parent.Id, { before: parent, after: parent });
    told = [];
    for (const { child, parent } of above) {
      const [lower, upper] = [states.get(child), states.get(parent)];
      if (!lower || !upper) continue;
      const after = applyParentLink(upper.after, lower.after);
      states.set(parent, { ...upper, after });
      if (hasLinkInput(upper.after, after)) told.push(parent);
    }
    told = [...new Set(told)];
  }
  return [...states.values()].filter(({ before, after }) => before !== after);
}

/** Stores each proposal in its next state, once; `standing` is what all of that changes of the contact. */
function storeStates(account: string, states: readonly State[], now: Date) {
  const stored = states.map((state) => proposalChanges(account, { ...state, now }));
  const proposals = stored.flatMap(({ standing }) => Object.entries(standing.proposals ?? {}));
  return {
    stored,
    changes: stored.flatMap(({ change, expiry }) => [change, ...expiry]),
    standing: { proposals: Object.fromEntries(proposals) },
  };
}

/** A proposal to be stored. */
interface Storing {
  readonly before: ProposalRecord | undefined;
  readonly after: ProposalRecord;
  readonly now: Date;
  /** Others that were read already. */
  readonly read?: readonly ProposalRecord[];
  /** Of these the ones that must still be as they were read (ancestryOf). */
  readonly held?: readonly ProposalRecord[];
}

/** The changes that store a proposal and, where it is listed otherwise from now on, those above it. */
export async function proposalWithParentChanges(
  table: TableReader,
  account: string,
  { before, after, now, read = [], held = [] }: Storing,
): Promise<{ record: ProposalRecord; changes: Change[]; standing: ContactSummary }> {
  const states = await tellAbove(table, account, [{ before, after }], [...read, ...held]);
  const { stored, changes, standing } = storeStates(account, states, now);
  const own = stored.find(({ record }) => record.Id === after.Id);
  if (!own) throw new TypeError(`proposal ${after.Id} is stored as it is`);
  const others = held.filter(({ Id }) => !stored.some(({ record }) => record.Id === Id));
  const checks = others.map(({ Id, V }): Change => ({
    check: layout.proposal.key({ account, id: Id }),
    if: { equals: { V } },
  }));
  return { record: own.record, changes: [...changes, ...checks], standing };
}

/**
 * Stores proposals in their next state, and those above them. A change order and the proposal that it changes may both
 * be among them: each is stored once.
 */
export async function proposalsChanges(
  table: TableReader,
  account: string,
  {
    before,
    next,
    now,
  }: { before: readonly ProposalRecord[]; next: (proposal: ProposalRecord) => ProposalRecord; now: Date },
): Promise<{ readonly changes: readonly Change[]; readonly standing: Pick<ContactSummary, 'proposals'> }> {
  const changed = before.map((proposal) => ({ before: proposal, after: next(proposal) }));
  const { changes, standing } = storeStates(account, await tellAbove(table, account, changed), now);
  return { changes, standing };
}

export type Ancestry =
  | { readonly kind: 'free'; readonly above: readonly ProposalRecord[] }
  | { readonly kind: 'cycle' }
  | { readonly kind: 'deep' };

/**
 * Whether a proposal may belong to others: not where it is above them already. `above` are those further up, which must
 * stay as they were read; a round a generation.
 */
export async function findAncestry(
  table: TableReader,
  account: string,
  id: number,
  parents: readonly number[],
): Promise<Ancestry> {
  const seen = new Map<number, ProposalRecord>();
  let wanted = [...new Set(parents)];
  while (wanted.length) {
    if (wanted.includes(id)) return { kind: 'cycle' };
    if (seen.size + wanted.length > MAX_ANCESTORS) return { kind: 'deep' };
    const found = await findProposals(table, account, wanted);
    for (const proposal of found) seen.set(proposal.Id, proposal);
    wanted = [...new Set(found.flatMap(parentIds))].filter((each) => !seen.has(each));
  }
  return { kind: 'free', above: [...seen.values()].filter(({ Id }) => !parents.includes(Id)) };
}
