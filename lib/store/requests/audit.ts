import { LRUCache } from 'lru-cache';
import { type AuditEntry, auditCountsEntity, auditEntity } from '../../entities/audit.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { listRange, randomHandle } from '../dynamodb/records.ts';
import { layout, momentKey } from '../keys.ts';

/** Entries and counts leave the table after that time. */
const KEPT_SECONDS = (400 * DAY) / SECOND;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The change that stores an entry. */
export const auditChange = (account: string, { At, ...entry }: AuditEntry): Change => ({
  put: {
    ...layout.audit.key({ account, at: momentKey(At), mark: randomHandle(8) }),
    ...entry,
    At,
    TTL: ttlAfter(new Date(At), KEPT_SECONDS),
  },
});

/** Stores what a command of the operator's tool did. Not safe to repeat: each call is an entry. */
export const writeAuditEntry = (
  table: TableWriter,
  account: string,
  { command, ...entry }: Pick<AuditEntry, 'Kind' | 'Data'> & { readonly command: string },
): Promise<void> => {
  const Actor = { Key: '', Name: `fs ${command}` };
  return table.commit([auditChange(account, { ...entry, Actor, At: Date.now() })]);
};

/** The entries between two moments, oldest first. */
export async function listAuditEntries(
  table: TableReader,
  account: string,
  { from, through }: { readonly from: number; readonly through: number },
): Promise<AuditEntry[]> {
  const partition = layout.audit.of({ account });
  const items = await listRange(table, { partition, from: momentKey(from), to: `${momentKey(through)}~` });
  return items.map(auditEntity.readDeclared);
}

/** Calls of a key on a day by their operation and answer (`task/query 403`). */
export type CallCounts = Readonly<Record<string, number>>;

/** What begins the name of a count in its item. */
const COUNT = '#';

/** Adds calls of a key to the counts of the day. Repeated after a lost reply it counts twice. */
export const writeCallCounts = (
  table: TableWriter,
  publicPart: string,
  { counts, network, now }: { readonly counts: CallCounts; readonly network: string; readonly now: Date },
): Promise<Item> =>
  table.update({
    update: layout.auditCounts.key({ public: publicPart, day: dayOf(now.getTime()) }),
    set: { Last: now.getTime(), LastFrom: network, TTL: ttlAfter(now, KEPT_SECONDS) },
    setOnce: { First: now.getTime() },
    add: Object.fromEntries(Object.entries(counts).map(([name, count]) => [COUNT + name, count])),
  });

/** A container writes counts of a key once in that time, whatever it calls: nobody can cause more writes. */
const WRITE_MILLISECONDS = 10 * SECOND;

/** What this container counted of a key and did not write yet. */
interface Unwritten {
  readonly counts: Map<string, number>;
  writtenAt: number;
}
const unwritten = new LRUCache<string, Unwritten>({ max: 1_000 });

/**
 * Counts a call of a key by its operation and answer. The first of a key is written at once, later ones with the next
 * that is ten seconds later. Never throws: no answer depends on it.
 */
export async function countCall(
  table: TableWriter,
  publicPart: string,
  { name, network, now }: { readonly name: string; readonly network: string; readonly now: Date },
): Promise<void> {
  const own = unwritten.get(publicPart) ?? { counts: new Map<string, number>(), writtenAt: -Infinity };
  unwritten.set(publicPart, own);
  own.counts.set(name, (own.counts.get(name) ?? 0) + 1);
  if (now.getTime() - own.writtenAt < WRITE_MILLISECONDS) return;
  own.writtenAt = now.getTime();
  const counts = Object.fromEntries(own.counts);
  own.counts.clear();
  await writeCallCounts(table, publicPart, { counts, network, now }).catch(() => undefined);
}

/** The counts of a key on one day. */
export interface DayOfKey {
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly network: string;
  readonly counts: CallCounts;
}

/** The counts of keys on the days between two moments. */
export async function listCallCounts(
  table: TableReader,
  keys: readonly string[],
  { from, through }: { readonly from: number; readonly through: number },
): Promise<DayOfKey[]> {
  const days: DayOfKey[] = [];
  for (const key of keys) {
    const range = { from: `AUDIT#${dayOf(from)}`, to: `AUDIT#${dayOf(through)}` };
    for (const item of await listRange(table, { partition: layout.auditCounts.of({ public: key }), ...range })) {
      const counts = Object.entries(item).flatMap(([name, count]) =>
        name.startsWith(COUNT) ? [[name.slice(COUNT.length), Number(count)] as const] : [],
      );
      const { First, Last, LastFrom } = auditCountsEntity.read(item);
      days.push({ key, first: First, last: Last, network: LastFrom, counts: Object.fromEntries(counts) });
    }
  }
  return days;
}
