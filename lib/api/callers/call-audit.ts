import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { LruMap } from '../../shared/caches.ts';
import { networkOf } from '../../shared/web/address-ranges.ts';
import { SECOND } from '../../shared/time/time.ts';
import { writeCallCounts } from '../../store/requests/audit.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';

/** A container writes counts of a key once in that time, whatever it calls: nobody can cause more writes. */
const WRITE_MILLISECONDS = 10 * SECOND;

/** What this container counted of a key and did not write yet. */
interface Uncounted {
  readonly counts: Map<string, number>;
  writtenAt: number;
}
const uncounted = new LruMap<Uncounted>({ max: 1_000 });

/** Operations that return personal data of many at once. */
const BULK_READS = new Set(['datasubscriber/getdownload', 'download/getdownload']);

/** Whether the audit counts an answer. */
const isCounted = (operation: string, status: number): boolean =>
  status === 401 || status === 403 || ((status === 200 || status === 303) && BULK_READS.has(operation));

/**
 * Counts calls of a known key that were denied, and those that return files of downloads. The first of a key is written
 * at once, later ones with the next that is ten seconds later. Never throws: the answer of a call does not depend on it.
 */
export async function countCall(
  table: TableWriter,
  key: Pick<ApiKeyRecord, 'Public'>,
  { operation, status, address, now }: { operation: string; status: number; address: string; now: Date },
): Promise<void> {
  if (!isCounted(operation, status)) return;
  const own = uncounted.get(key.Public) ?? { counts: new Map<string, number>(), writtenAt: -Infinity };
  uncounted.set(key.Public, own);
  const name = `${operation} ${status}`;
  own.counts.set(name, (own.counts.get(name) ?? 0) + 1);
  if (now.getTime() - own.writtenAt < WRITE_MILLISECONDS) return;
  own.writtenAt = now.getTime();
  const counts = Object.fromEntries(own.counts);
  own.counts.clear();
  await writeCallCounts(table, key.Public, { counts, network: networkOf(address), now }).catch(() => undefined);
}
