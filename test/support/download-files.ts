import { expect } from 'vitest';
import { type TestAccount, type TestAnswer, drainEvents } from './stack/stack.ts';

export interface FileOptions {
  readonly group?: string;
  readonly key?: string;
  readonly query?: string;
}

/** Starts a download, waits until the worker has made its file, and fetches it. */
export async function makeDownload(
  { call, key: ownerKey }: TestAccount,
  body: object,
  { group = 'download', key = ownerKey, query = '' }: FileOptions = {},
) {
  const started = await call(`${group}/startdownload${query}`, body, { key });
  expect([started.status, started.body['Message']]).toEqual([200, '']);
  const { DownloadId } = started.body;
  const waitUntilReady = async (): Promise<TestAnswer> => {
    for (;;) {
      const status = await call(`${group}/downloadstatus`, { DownloadId }, { key });
      if (status.status !== 200 || status.body['Ready'] === true) return status;
      await drainEvents();
    }
  };
  const status = await waitUntilReady();
  const got = await call(`${group}/getdownload`, { DownloadId }, { key });
  expect([got.status, got.body['Records']]).toEqual([200, status.body['Records']]);
  const response = await fetch(got.body['Url'] as string);
  return { DownloadId, answer: got.body, response, text: await response.text() };
}
