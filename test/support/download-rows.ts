import { expect } from 'vitest';
import type { DownloadKind } from '../../lib/domain/downloads/kind.ts';
import { downloadKinds } from '../../lib/domain/downloads/kinds.ts';
import { findDownload } from '../../lib/store/downloads.ts';
import { findLastRow, listDownloadPages } from '../../lib/workflows/downloads/download-pages.ts';
import { type TestAccount, testTable } from './stack/stack.ts';

/** The records of a download of all organizations, in the order of its rows; no worker makes its file. */
export async function downloadRows(
  { accountId, call }: TestAccount,
  request: { readonly Kind: DownloadKind; readonly [field: string]: unknown },
): Promise<unknown[]> {
  const table = testTable();
  const started = await call('datasubscriber/startdownload', request);
  expect(started.status, started.text).toBe(200);
  const scope = { account: accountId, organizationId: null, role: 'Owner' };
  const download = await findDownload(table, scope, started.body['DownloadId'] as string);
  if (!download) throw new Error('the download is not stored');
  const definition = downloadKinds[request.Kind];
  const last = await findLastRow(table, download, definition.source);
  const records: unknown[] = [];
  for await (const { rows } of listDownloadPages(table, { download, definition, after: 0, last }))
    records.push(...rows.map(({ item }) => item));
  return records;
}
