import { isTold, parentIds, tellParent } from '../domain/proposals/links.ts';
import type { ProposalRecord } from '../domain/proposals/record.ts';
import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import type { Standing } from './contact-standing.ts';
import { thingOf } from './entities.ts';
import { layout } from './layout.ts';
import { storeProposal } from './proposals.ts';

/** Change orders of change orders, bundled or not, go no further. */
export const MOST_ANCESTORS = 10;

/** Proposals by id, as far as they exist. One request, none where none is asked for. */
export async function readProposals(table: TableReader, account: string, ids: readonly number[]): Promise<ProposalRecord[]> {
  const keys = [...new Set(ids)].map((id) => layout.proposal.key({ account, id }));
  return keys.length ? (await table.getMany(keys)).map((item) => thingOf<ProposalRecord>(item)) : [];
}

/**
 * The changes that store a proposal and, where they list it otherwise from now on, the proposals that it belongs to or
 * did: a round more for those that are not among `read`. `standing` is what all of that changes of the contact.
 */
export async function storeWithParents(
  table: TableReader,
  account: string,
  { before, after, now, read = [] }: { before: ProposalRecord | undefined; after: ProposalRecord; now: Date; read?: readonly ProposalRecord[] },
): Promise<{ thing: ProposalRecord; changes: Change[]; standing: Standing }> {
  const own = storeProposal(account, { before, after, now });
  const ids = new Set(isTold(before, after) ? [...parentIds(before), ...parentIds(after)] : []);
  const missing = [...ids].filter((id) => !read.some(({ Id }) => Id === id));
  const parents = [...read.filter(({ Id }) => ids.has(Id)), ...(await readProposals(table, account, missing))];
  const told = parents.map((parent) => storeProposal(account, { before: parent, after: tellParent(parent, own.thing), now }));
  const all = [own, ...told];
  return {
    thing: own.thing,
    changes: all.flatMap(({ change, expiry }) => [change, ...expiry]),
    standing: { proposals: Object.assign({}, ...all.map(({ standing }) => standing.proposals)) as NonNullable<Standing['proposals']> },
  };
}

/**
 * Stores proposals in their next state, and those that list them. A change order and the proposal that it changes may
 * both be among them: each is stored once. A round for those that list them and are not, where any do.
 */
export async function storeProposals(
  table: TableReader,
  account: string,
  { before, next, now }: { before: readonly ProposalRecord[]; next: (proposal: ProposalRecord) => ProposalRecord; now: Date },
): Promise<{ readonly changes: readonly Change[]; readonly standing: Pick<Standing, 'proposals'> }> {
  const states = new Map(before.map((proposal) => [proposal.Id, { before: proposal, after: next(proposal) }]));
  const told = [...states.values()].flatMap((state) => (isTold(state.before, state.after) ? [state.after] : []));
  const missing = told.flatMap(parentIds).filter((id) => !states.has(id));
  for (const parent of await readProposals(table, account, missing)) states.set(parent.Id, { before: parent, after: parent });
  for (const child of told) {
    for (const id of parentIds(child)) {
      const parent = states.get(id);
      if (parent) states.set(id, { ...parent, after: tellParent(parent.after, child) });
    }
  }
  const stored = [...states.values()].flatMap((state) => (state.before === state.after ? [] : [storeProposal(account, { ...state, now })]));
  return {
    changes: stored.flatMap(({ change, expiry }) => [change, ...expiry]),
    standing: { proposals: Object.assign({}, ...stored.map(({ standing }) => standing.proposals)) as NonNullable<Standing['proposals']> },
  };
}

export type Ancestry =
  | { readonly kind: 'free'; readonly checks: Change[] }
  | { readonly kind: 'cycle' }
  | { readonly kind: 'deep' };

/**
 * Whether a proposal may belong to others: not where it is above them already. The checks hold those on the way as they
 * were read; a round a generation.
 */
export async function ancestryOf(table: TableReader, account: string, id: number, parents: readonly number[]): Promise<Ancestry> {
  const seen = new Map<number, ProposalRecord>();
  let wanted = [...new Set(parents)];
  while (wanted.length) {
    if (wanted.includes(id)) return { kind: 'cycle' };
    if (seen.size + wanted.length > MOST_ANCESTORS) return { kind: 'deep' };
    const found = await readProposals(table, account, wanted);
    for (const proposal of found) seen.set(proposal.Id, proposal);
    wanted = [...new Set(found.flatMap(parentIds))].filter((each) => !seen.has(each));
  }
  const above = [...seen.values()].filter((proposal) => !parents.includes(proposal.Id));
  return {
    kind: 'free',
    checks: above.map(({ Id, V }) => ({ check: layout.proposal.key({ account, id: Id }), if: { equals: { V } } })),
  };
}
