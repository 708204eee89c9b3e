import { isPersonal } from '../../domain/downloads/kind.ts';
import type { Files } from '../../files/s3.ts';
import { listPublicParts } from '../../store/requests/api-keys.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import {
  accountDownloadsPrefix,
  downloadKey,
  downloadPrefix,
  endedDownloadChanges,
  findDownloadAt,
  findSlot,
  listWaitingDownloads,
} from '../../store/downloads.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

const ERASED = 'A contact in it was erased. Start the download again.';

/** The downloads of an account that have files or that a key waits for. */
async function listDownloadIds(store: StoreReader, files: Files): Promise<string[]> {
  const prefix = accountDownloadsPrefix(store);
  const keys = await files.list(prefix);
  const waiting: string[] = [];
  for (const key of await listPublicParts(store)) waiting.push(...(await listWaitingDownloads(store, key)));
  return [...new Set([...keys.map((key) => key.slice(prefix.length).split('/')[0] ?? ''), ...waiting])].filter(Boolean);
}

/**
 * Ends the downloads of an account that may contain a contact, ready or under way, and removes their files with all
 * versions. Returns their number. The record ends first, so a worker that still writes fails at its version. Safe to
 * repeat.
 */
export async function removePersonalDownloads(store: StoreWriter, files: Files, now: Date): Promise<number> {
  let count = 0;
  for (const id of await listDownloadIds(store, files)) {
    const isOver = await retryUnavailable(async () => {
      const download = await findDownloadAt(store, downloadKey(store, id));
      if (download && !isPersonal(download.Kind)) return false;
      if (!download || download.State === 'Failed') return true;
      const failed = { State: 'Failed', Failure: ERASED } as const;
      const slot = await findSlot(store, download);
      await store.table.commit(endedDownloadChanges(download, failed, slot, now).changes);
      count++;
      return true;
    });
    if (!isOver) continue;
    const prefix = downloadPrefix({ Account: store.account, Id: id });
    await files.abortUploads(prefix);
    for (const key of await files.list(prefix)) await files.removeVersions(key);
  }
  return count;
}
