import { expect } from 'vitest';
import type { DownloadKind } from '../../lib/domain/downloads/kind.ts';
import { downloadKinds } from '../../lib/domain/downloads/kinds.ts';
import { findDownload } from '../../lib/store/downloads.ts';
import { findLastRow, listDownloadPages } from '../../lib/workflows/downloads/download-pages.ts';
import { type TestAccount, testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** The records of a download of all organizations, in the order of its rows; no worker makes its file. */
export async function downloadRows(
  { accountId, call }: TestAccount,
  request: { readonly Kind: DownloadKind; readonly [field: string]: unknown },
): Promise<unknown[]> {
  const store = accountStore(testTable(), accountId);
  const started = await call('datasubscriber/startdownload', request);
  expect(started.status, started.text).toBe(200);
  const download = await findDownload(store, 'Owner', started.body['DownloadId'] as string);
  if (!download) throw new Error('the download is not stored');
  const definition = downloadKinds[request.Kind];
  const last = await findLastRow(store, download, definition.source);
  const records: unknown[] = [];
  for await (const { rows } of listDownloadPages(store, { download, definition, after: 0, last }))
    records.push(...rows.map(({ item }) => item));
  return records;
}
