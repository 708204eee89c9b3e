import { SECOND } from '../../shared/time/time.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { skipIds, toSequence } from '../../store/events/event-sequence.ts';
import { idKinds, layout } from '../../store/keys.ts';
import type { Problem } from './problem.ts';

/** A restore from a backup. */
export interface Restore {
  /** The moment of the backup, which also names the restore: its ids are skipped once. */
  readonly at: Date;
  /** How many ids are skipped, by default what no account can have used since. */
  readonly ids?: number | undefined;
}

const INT32_MAX = 2 ** 31 - 1;
const MIN_SKIPPED = 100_000;
/** More than any account uses: 68 a second without pause use up all ids in a year. */
const SKIPPED_PER_SECOND = 100;

/** How many ids of each kind may have been given out between the backup and now. */
export const skippedIds = ({ at, ids }: Restore, now: Date): number =>
  ids ?? MIN_SKIPPED + Math.ceil((now.getTime() - at.getTime()) / SECOND) * SKIPPED_PER_SECOND;

/**
 * After a restore: ids that were given out after the backup must not be given out again, neither to events, which
 * subscribers have read, nor to records, which callers have stored.
 */
export async function examineIds(table: TableReader, account: string, restore: Restore, now: Date): Promise<Problem[]> {
  const epoch = restore.at.toISOString();
  const skipped = skippedIds(restore, now);
  const sequenceKey = layout.sequence.key({ account });
  const leases = idKinds.map((kind) => ({ kind, key: layout.lease.key({ account, kind }) }));
  const items = await table.getMany([sequenceKey, ...leases.map(({ key }) => key)]);
  const itemAt = ({ PK, SK }: { PK: string; SK: string }) => items.find((item) => item.PK === PK && item.SK === SK);
  const problems: Problem[] = [];
  const sequence = itemAt(sequenceKey);
  const all = [
    { name: 'event', key: sequenceKey, item: sequence, last: toSequence(sequence).Last },
    ...leases.map(({ kind, key }) => {
      const item = itemAt(key);
      return { name: kind, key, item, last: (item?.['Last'] as number | undefined) ?? 0 };
    }),
  ];
  for (const { name, key, item, last } of all) {
    if (item?.['Epoch'] === epoch) continue;
    const through = last + skipped;
    const message = `${name} ids from ${last + 1} on may have been given out after the backup`;
    const state = name === 'event' ? skipIds(item, through, now) : { Last: through };
    const changes = [{ update: key, set: { ...state, Epoch: epoch }, if: { equals: { Last: item?.['Last'] } } }];
    const repair = { message: `continues at ${through + 1}`, changes };
    problems.push({ kind: 'ids', key, message, ...(through <= INT32_MAX ? { repair } : {}) });
  }
  return problems;
}
