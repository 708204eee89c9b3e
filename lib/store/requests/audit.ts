import { type AuditEntry, auditCountsEntity, auditEntity } from '../../entities/audit.ts';
import { randomHandle } from '../dynamodb/ids.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { listRange } from '../dynamodb/records.ts';
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
