import { LRUCache } from 'lru-cache';
import { type AuditEntry, auditCountsEntity, auditEntity } from '../../entities/audit.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { listRange, randomHandle } from '../dynamodb/records.ts';
import { layout, momentKey } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/** How long entries and counts stay in the table. */
const KEPT_SECONDS = (400 * DAY) / SECOND;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The change that stores an entry. */
export const auditChange = ({ account }: StoreAccount, { At, ...entry }: AuditEntry): Change => ({
  put: {
    ...layout.audit.key({ account, at: momentKey(At), mark: randomHandle(8) }),
    ...entry,
    At,
    TTL: ttlAfter(new Date(At), KEPT_SECONDS),
  },
});

/** Stores what a command of the operator's tool did. Not safe to repeat: each call makes an entry. */
export const writeAuditEntry = (
  store: StoreWriter,
  { command, ...entry }: Pick<AuditEntry, 'Kind' | 'Data'> & { readonly command: string },
): Promise<void> => {
  const { table } = store;
  const Actor = { Key: '', Name: `fs ${command}` };
  return table.commit([auditChange(store, { ...entry, Actor, At: Date.now() })]);
};

/** The entries between two moments, oldest first. */
export async function listAuditEntries(
  { account, table }: StoreReader,
  { from, through }: { readonly from: number; readonly through: number },
): Promise<AuditEntry[]> {
  const partition = layout.audit.of({ account });
  const items = await listRange(table, { partition, from: momentKey(from), to: `${momentKey(through)}~` });
  return items.map(auditEntity.readDeclared);
}

/** Calls of a key on a day by operation and status (`task/query 403`), or by unknown field (`task/query :Limit`). */
export type CallCounts = Readonly<Record<string, number>>;

/** Prefix of a count's name in its item. */
const COUNT = '#';

/** Adds calls of a key to the counts of the day. A repeat after a lost reply counts twice. */
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

/** A container writes a key's counts once in this time, however many calls it gets, so nobody can cause more writes. */
const WRITE_MILLISECONDS = 10 * SECOND;

/** What this container has counted for a key and not written yet. */
interface Unwritten {
  readonly counts: Map<string, number>;
  writtenAt: number;
  day: string;
  /** The field counts that the day has, as far as this container knows. */
  fields: Set<string>;
}
const unwritten = new LRUCache<string, Unwritten>({ max: 1_000 });

/** Prefix of an unknown field in the name of its count. */
const FIELD = ':';
/**
 * Maximum number of unknown fields that are counted by name: per call, and per key and day. Others are counted as one.
 */
const [MAX_CALL_FIELDS, MAX_DAY_FIELDS] = [10, 50];
const OTHER_FIELDS = '…';

/** What the audit counts of a call. */
interface CountedCall {
  readonly operation: string;
  /** `undefined` for an answer that the audit does not count. */
  readonly status?: number | undefined;
  /** Unknown fields that were ignored. */
  readonly fields?: readonly string[];
  readonly network: string;
  readonly now: Date;
}

function fieldCount(own: Unwritten, operation: string, field: string): string {
  const name = `${operation} ${FIELD}${field}`;
  if (own.fields.has(name)) return name;
  if (own.fields.size >= MAX_DAY_FIELDS) return `${operation} ${FIELD}${OTHER_FIELDS}`;
  own.fields.add(name);
  return name;
}

/**
 * Counts a call of a key by operation and status, and by its unknown fields. The first call of a key is written at
 * once, later ones with the next call at least ten seconds later. Never throws: no answer depends on it.
 */
export async function countCall(
  table: TableWriter,
  publicPart: string,
  { operation, status, fields = [], network, now }: CountedCall,
): Promise<void> {
  const known = unwritten.get(publicPart);
  const own = known ?? { counts: new Map<string, number>(), writtenAt: -Infinity, day: '', fields: new Set<string>() };
  unwritten.set(publicPart, own);
  if (own.day !== dayOf(now.getTime())) Object.assign(own, { day: dayOf(now.getTime()), fields: new Set<string>() });
  const named = fields.slice(0, MAX_CALL_FIELDS).map((field) => fieldCount(own, operation, field));
  for (const name of [...(status === undefined ? [] : [`${operation} ${status}`]), ...new Set(named)])
    own.counts.set(name, (own.counts.get(name) ?? 0) + 1);
  if (now.getTime() - own.writtenAt < WRITE_MILLISECONDS) return;
  own.writtenAt = now.getTime();
  const counts = Object.fromEntries(own.counts);
  own.counts.clear();
  const written = await writeCallCounts(table, publicPart, { counts, network, now }).catch(() => undefined);
  const names = Object.keys(written ?? {}).filter((name) => name.startsWith(COUNT) && name.includes(` ${FIELD}`));
  for (const name of names) own.fields.add(name.slice(COUNT.length));
}

/** What a count counts: a status of an operation, or a field that the operation does not have. */
export function readCountName(name: string): {
  readonly operation: string;
  readonly status?: number;
  readonly field?: string;
} {
  const [operation = '', what = ''] = name.split(/ (.*)/s);
  return what.startsWith(FIELD) ? { operation, field: what.slice(FIELD.length) } : { operation, status: Number(what) };
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
