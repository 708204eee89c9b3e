import { uploadEntity } from '../../entities/uploads.ts';
import { incomingFileKey, keptFileKey } from '../../domain/uploads/record.ts';
import { openFiles } from '../../files/s3.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { InternalError } from '../../shared/failure.ts';
import type { FailedMessage, QueueMessage, QueueOutcome } from '../../shared/queues.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { accountOfKey } from '../../store/keys.ts';
import { uploadChanges } from '../../store/uploads.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';

const CONCURRENCY = 4;

/**
 * Copies the content of committed files from incoming/, where it would expire, to its permanent place. Writes at once.
 * Safe to repeat, also concurrently and after a kill: the copy is the same, and the record is marked once. The source
 * expires by itself, so that a read under way still finds it.
 */
export async function keepUploads(
  table: TableWriter,
  messages: readonly QueueMessage[],
  _options: BatchOptions,
): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  await mapWithConcurrency(messages, CONCURRENCY, async (message, index) => {
    try {
      await keepUpload(accountStore(table, accountOfKey(message) ?? ''), message);
    } catch (error) {
      failures.push({ index, error });
    }
  });
  return { done: messages.length - failures.length, failures };
}

async function keepUpload(store: StoreWriter, key: QueueMessage): Promise<void> {
  const { table, account } = store;
  const item = await table.get(key, { consistent: true });
  const upload = item && uploadEntity.read(item);
  if (!upload || upload.IsKept) return;
  const [from, to] = [incomingFileKey(account, upload), keptFileKey(account, upload)];
  const files = openFiles();
  if (!(await files.copy(from, to, { contentType: upload.ContentType })))
    throw new InternalError(`the content of file ${upload.Id} is missing`);
  const isMarked = await retryOnConflict(async () => {
    const found = await table.get(key, { consistent: true });
    if (!found) return false;
    const before = uploadEntity.read(found);
    await table.commit(uploadChanges(store, { before, after: { ...before, IsKept: true } }).changes);
    return true;
  });
  // The file was removed while it was copied.
  if (!isMarked) await files.removeVersions(to);
}
