import type { Fault } from '../../lib/domain/faults.ts';
import { linkRefusal, LINKS, parentIds, type LinkField } from '../../lib/domain/proposals/links.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import { ancestryOf, MOST_ANCESTORS, readProposals } from '../../lib/store/proposal-links.ts';
import type { Writing } from './writing.ts';

/** The proposals that a proposal belongs to or is to belong to. One round where there are any. */
export const parentsOf = (
  { table, caller }: Writing,
  before: Pick<ProposalRecord, LinkField> | undefined,
  given: ProposalInput,
): Promise<ProposalRecord[]> =>
  readProposals(table, caller.accountId, [...parentIds(before), ...LINKS.flatMap(({ field }) => given[field] ?? [])]);

/** What a proposal is to belong to. `faults` are 400; `refusal` is 409, where nothing else is at fault. */
export interface Linked {
  readonly links: Pick<ProposalRecord, LinkField>;
  /** Those further above, which must still be as they were read: so no two requests together make a circle. */
  readonly held: readonly ProposalRecord[];
  readonly faults: readonly Fault[];
  readonly refusal: string | undefined;
}

/**
 * What a request says of the proposals that one belongs to, and what stands against it. A round a generation where an
 * old proposal is linked anew.
 */
export async function linked(
  { table, caller }: Writing,
  before: ProposalRecord,
  given: ProposalInput,
  parents: readonly ProposalRecord[],
): Promise<Linked> {
  const { ChangeOrderForProposalId, BundleWithProposalId } = before;
  const links = { ChangeOrderForProposalId, BundleWithProposalId };
  const anew: number[] = [];
  const faults: Fault[] = [];
  let refusal: string | undefined;
  for (const { field } of LINKS) {
    const id = given[field];
    if (id === undefined || id === before[field]) continue;
    links[field] = id;
    if (id === null) continue;
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === before.OrganizationId);
    const against = linkRefusal(field, before, parent, id);
    if (against?.kind === 'fault') faults.push({ field, message: against.message });
    else if (against) refusal ??= against.message;
    else anew.push(id);
  }
  // Nothing is below a new proposal yet.
  if (before.V === 0 || !anew.length) return { links, held: [], faults, refusal };
  const ancestry = await ancestryOf(table, caller.accountId, before.Id, anew);
  if (ancestry.kind === 'free') return { links, held: ancestry.above, faults, refusal };
  const message =
    ancestry.kind === 'cycle'
      ? `names a proposal that belongs to this one, ${before.Id}, itself`
      : `must be a proposal that itself belongs to fewer than ${MOST_ANCESTORS}`;
  // Where both are told, each is looked at by itself to say which it is; too many may be so only together.
  const alone = await Promise.all(anew.map((id) => ancestryOf(table, caller.accountId, before.Id, [id])));
  const guilty = anew.filter((_, place) => alone[place]?.kind === ancestry.kind);
  const named = guilty.length ? guilty : anew;
  for (const { field } of LINKS) if (named.includes(links[field] ?? 0)) faults.push({ field, message });
  return { links, held: [], faults, refusal };
}
