import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readColumns } from '../../../../infra/cli/contacts-csv/columns.ts';
import { readContactRow } from '../../../../infra/cli/contacts-csv/contact-row.ts';
import { readCsv } from '../../../../infra/cli/imports/csv.ts';
import { importContacts } from '../../../../infra/cli/contacts-csv/import.ts';
import { csvText, csvValue } from '../../../../lib/domain/downloads/csv.ts';
import { joinList, splitList } from '../../../../lib/shared/text/lists.ts';
import { bookable } from '../../../support/scheduling.ts';
import { type TestAccount, drainEvents, testAccount, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'round-trip-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The file of a contacts download. */
async function downloadContacts({ call }: Pick<TestAccount, 'call'>): Promise<string> {
  const { DownloadId } = (await call('download/startdownload', { Kind: 'contacts' })).body;
  const isReady = async () => (await call('download/downloadstatus', { DownloadId })).body['Ready'] === true;
  while (!(await isReady())) await drainEvents();
  const got = await call('download/getdownload', { DownloadId });
  return (await fetch(got.body['Url'] as string)).text();
}

/** Texts of every dangerous beginning, trimmed as contacts store them. */
const text = fc
  .tuple(fc.constantFrom('', '=', '+', '-', '@', "'", "'=", "''+", '＝', '"', ';', ','), fc.string({ maxLength: 12 }))
  .map((parts) => parts.join('').trim());

test('a text comes back from its cell as it was, whatever it begins with', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const file = `${texts.map((_, index) => `c${index}`).join(',')}\r\n${texts.map(csvText).join(',')}\r\n`;
      const rows: (readonly string[])[] = [];
      for await (const { cells } of readCsv(
        (async function* () {
          yield file;
        })(),
      ))
        rows.push(cells.map(csvValue));
      // A record without any text is an empty line.
      expect(rows[1] ?? texts.map(() => '')).toEqual(texts);
    }),
    { numRuns: 300 },
  );
});

test('no text of a cell can be run as a formula', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(csvText(value)).not.toMatch(/^"?[=+@＝-]/);
    }),
  );
});

test('a list comes back from its cell, whatever its values have', () => {
  const value = fc
    .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab ;,|"\'') })
    .map((each) => each.trim());
  fc.assert(
    fc.property(fc.array(value.filter(Boolean), { maxLength: 5 }), (values) => {
      expect(splitList(joinList(values))).toEqual(values);
    }),
    { numRuns: 1_000 },
  );
});

test('computed columns of a download stop an import with their names, and are skipped on request', () => {
  const headers = ['Name', 'LifetimeValue', 'Shoe size'];
  const strict = readColumns(headers, [], { skipUnknown: false, ignoreComputed: false });
  expect(strict.errors).toEqual([
    'Column 2, "LifetimeValue", is computed by the API. --ignore-computed skips it.',
    expect.stringContaining('"Shoe size", is not a field of a contact') as string,
  ]);
  const { errors } = readColumns(headers, [], { skipUnknown: false, ignoreComputed: true });
  expect(errors).toEqual([expect.stringContaining('Shoe size')]);
});

test('the name of an organization does not contradict its id beside it', () => {
  const columns = readColumns(['Name', 'OrganizationId', 'Organization'], [], {
    skipUnknown: false,
    ignoreComputed: false,
  });
  const organizations = [1, 2].map((Id) => ({ Id, PublicName: 'Same', LocationID: '' }));
  expect(readContactRow(columns.columns, ['Ana', '2', 'Same'], organizations)).toMatchObject({
    contact: { OrganizationId: 2 },
  });
});

test('a contacts download is imported again as it is and changes nothing; into another account it makes the same contacts', async () => {
  const source = await bookable();
  const people = [
    {
      Name: '=SUM(A1)',
      Company: "'=x",
      Phone: '+1 217 555 0101',
      Email: 'f@example.com',
      Tags: ['VIP', 'Smith, Jones'],
    },
    { Name: '-Minus', Address1: '@home; "rear"', Zip: '62701', Unsubscribed: true, DigitalTrackingId: '+t' },
    { Name: "O'Brien, Ann", Nickname: "''+", Email: 'o@example.com', Country: 'US', LeadSource: 'Web' },
  ];
  const sent = await source.call('contacts/addupdate', { Matches: people });
  expect(sent.status, sent.text).toBe(200);
  const csv = await downloadContacts(source);
  const file = join(folder, 'contacts.csv');
  writeFileSync(file, csv);
  const run = (accountId: string, path: string) =>
    importContacts({
      store: accountStore(testTable(), accountId),
      file: path,
      organizations: [{ Id: 1, PublicName: 'Any', LocationID: '' }],
      customFields: [],
      ignoreComputed: true,
    });
  const lines = csv.trimEnd().split('\r\n').length - 1;
  const result = await run(source.accountId, file);
  expect(result).toMatchObject({ Rows: lines, Created: 0, Updated: 0, Unchanged: lines, Errors: [] });
  expect(result.SkippedColumns).toEqual(expect.arrayContaining(['LifetimeValue', 'CreatedAt']));
  // Another account has other ids.
  const other = await testAccount();
  const [header = '', ...rows] = csv.trimEnd().split('\r\n');
  const names = header
    .split(',')
    .map((name) =>
      ['Id', 'Hash', 'OrganizationId', 'Organization', 'LocationID'].includes(name) ? `Former${name}` : name,
    );
  const moved = join(folder, 'moved.csv');
  writeFileSync(moved, [names.join(','), ...rows].join('\r\n'));
  const options = { store: accountStore(testTable(), other.accountId), file: moved, organization: 1, customFields: [] };
  const organizations = [{ Id: 1, PublicName: 'Any', LocationID: '' }];
  const made = await importContacts({ ...options, organizations, ignoreComputed: true, skipUnknownColumns: true });
  expect(made).toMatchObject({ Created: lines, Errors: [] });
  const fields = [
    'Name',
    'Company',
    'Nickname',
    'Phone',
    'Email',
    'Tags',
    'Address1',
    'Zip',
    'Unsubscribed',
    'DigitalTrackingId',
    'LeadSource',
  ];
  const listed = async (call: typeof source.call) => {
    const { body } = await call('contacts/locate', { CreatedFrom: '2000-01-01', Limit: 100 });
    return (body['Matches'] as Record<string, unknown>[])
      .map((match) => fields.map((name) => JSON.stringify(match[name])).join())
      .toSorted();
  };
  expect(await listed(other.call)).toEqual(await listed(source.call));
});
