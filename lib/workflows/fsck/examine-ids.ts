import { formatInteger } from '../../shared/text/text.ts';
import { SECOND } from '../../shared/time/time.ts';
import { skipIds, toSequence } from '../../store/events/event-sequence.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import { MAX_ID, lastOf } from '../../store/dynamodb/records.ts';
import { type Key, idKinds, layout } from '../../store/keys.ts';
import type { Problem } from './problem.ts';
import type { StoreReader } from '../../store/store.ts';

/** A restore from a backup. */
export interface Restore {
  /** The moment of the backup, which also names the restore: its ids are skipped once. */
  readonly at: Date;
}

const MIN_SKIPPED = 100_000;
/** More than any account uses: 68 a second without pause would use up all ids in a year. */
const SKIPPED_PER_SECOND = 100;

/** How many ids of each kind may have been issued between the backup and now. */
const skippedIds = ({ at }: Restore, now: Date): number =>
  MIN_SKIPPED + Math.ceil((now.getTime() - at.getTime()) / SECOND) * SKIPPED_PER_SECOND;

/** The share of used ids at which a person must decide what follows. */
const FEW_LEFT = 0.9;

interface Counter {
  /** What it counts. */
  readonly name: string;
  readonly key: Key;
  readonly item: Item | undefined;
  /** The last id issued. */
  readonly last: number;
}

/** The counters of an account: of its events and of each kind of record. */
async function findCounters({ account, table }: StoreReader): Promise<Counter[]> {
  const sequenceKey = layout.sequence.key({ account });
  const leases = idKinds.map((kind) => ({ kind, key: layout.lease.key({ account, kind }) }));
  const items = await table.getMany([sequenceKey, ...leases.map(({ key }) => key)]);
  const itemAt = ({ PK, SK }: Key) => items.find((item) => item.PK === PK && item.SK === SK);
  const sequence = itemAt(sequenceKey);
  return [
    { name: 'event', key: sequenceKey, item: sequence, last: toSequence(sequence).Last },
    ...leases.map(({ kind, key }) => ({ name: kind, key, item: itemAt(key), last: lastOf(itemAt(key)) })),
  ];
}

/** Reports kinds with 90 % of their ids used, because a person must decide what follows. Ids are int32. */
export async function examineIdsLeft(store: StoreReader): Promise<Problem[]> {
  const counters = await findCounters(store);
  return counters
    .filter(({ last }) => last >= FEW_LEFT * MAX_ID)
    .map(({ name, key, last }) => {
      const left = formatInteger(Math.max(0, MAX_ID - last));
      return { kind: 'ids', key, message: `only ${left} ${name} ids are left of 2,147,483,647` };
    });
}

/**
 * After a restore, ids issued after the backup must not be issued again, neither for events, which subscribers have
 * read, nor for records, which callers have stored.
 */
export async function examineIds(store: StoreReader, restore: Restore, now: Date): Promise<Problem[]> {
  const epoch = restore.at.toISOString();
  const skipped = skippedIds(restore, now);
  const problems: Problem[] = [];
  for (const { name, key, item, last } of await findCounters(store)) {
    if (item?.['Epoch'] === epoch) continue;
    const through = last + skipped;
    const message = `${name} ids from ${last + 1} on may have been given out after the backup`;
    const state = name === 'event' ? skipIds(item, through, now) : { Last: through };
    const changes = [{ update: key, set: { ...state, Epoch: epoch }, if: { equals: { Last: item?.['Last'] } } }];
    const repair = { message: `continues at ${through + 1}`, changes };
    problems.push({ kind: 'ids', key, message, ...(through <= MAX_ID ? { repair } : {}) });
  }
  return problems;
}
