import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestAccount, type TestAnswer, call, drainEvents, testAccount } from '../support/stack.ts';

let account: TestAccount;

/** Asks until the download is ready. */
async function waitUntilReady(id: unknown, group = 'download', key = account.key): Promise<TestAnswer> {
  for (;;) {
    const status = await call(`${group}/downloadstatus`, { DownloadId: id }, { key });
    if (status.status !== 200 || status.body['Ready'] === true) return status;
    await drainEvents();
  }
}

async function makeFile(body: object, { group = 'download', key = account.key, query = '' } = {}) {
  const started = await call(`${group}/startdownload${query}`, body, { key });
  expect([started.status, started.body['Message']]).toEqual([200, '']);
  const { DownloadId } = started.body;
  const status = await waitUntilReady(DownloadId, group, key);
  const got = await call(`${group}/getdownload`, { DownloadId }, { key });
  expect([got.status, got.body['Records']]).toEqual([200, status.body['Records']]);
  const response = await fetch(got.body['Url'] as string);
  return { DownloadId, answer: got.body, response, text: await response.text() };
}

const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

beforeAll(async () => {
  account = await testAccount({ organizationName: 'Springfield' });
  const Matches = ['José García', '=1+1', 'Ann, "the" Lee', 'Bo'].map((Name, index) => ({
    Name,
    Email: index === 3 ? '' : `contact${index}@example.com`,
    Phone: `(217) 555-010${index}`,
    Tags: index < 2 ? ['VIP'] : [],
  }));
  await account.call('contacts/addupdate', { Matches });
});

describe('a download', () => {
  test('has every contact once, in the order of ids, as CSV that no spreadsheet runs', async () => {
    const { answer, response, text } = await makeFile({ Kind: 'contacts' });
    const rows = rowsOf(text);
    expect(rows.map(({ Id }) => Number(Id))).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ Name }) => Name)).toEqual(['José García', "'=1+1", 'Ann, "the" Lee', 'Bo']);
    expect(rows[0]).toMatchObject({ Organization: 'Springfield', Email: 'contact0@example.com', Tags: 'VIP' });
    expect(answer).toMatchObject({
      Format: 'csv',
      Records: 4,
      Bytes: Buffer.byteLength(text),
      Sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d.csv"$/,
    );
  });
});
