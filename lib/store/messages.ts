import { afterReport, type MessageReport } from '../domain/messages/reports.ts';
import { type MessageRecord, messageEntity } from '../entities/messages.ts';
import { versionedChange } from './dynamodb/records.ts';
import type { Key } from './keys.ts';
import type { StoreWriter } from './store.ts';
import { ownKey } from './visibility.ts';

/**
 * Stores at once what became of a message, and returns the message; `undefined` if it is gone, with its contact. Safe
 * to repeat, and in any order: a report that is older than what is known changes nothing.
 */
export async function writeMessageReport(
  store: StoreWriter,
  key: Key,
  report: MessageReport,
): Promise<MessageRecord | undefined> {
  const own = ownKey(store, key);
  const item = await store.table.get(own);
  if (!item) return undefined;
  const before = messageEntity.read(item);
  const after = afterReport(before, report);
  if (after === before) return before;
  const { record, change } = versionedChange(messageEntity, own, { before, after });
  await store.table.commit([change]);
  return record;
}
