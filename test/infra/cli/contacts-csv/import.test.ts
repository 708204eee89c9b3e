import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ContactsImport, importContacts } from '../../../../infra/cli/contacts-csv/import.ts';
import { missingRows } from '../../../../infra/cli/imports/report.ts';
import { loadPostalData } from '../../../../lib/domain/postal/localities.ts';
import type { TableWriter } from '../../../../lib/store/dynamodb/table.ts';
import { type TestAccount, testAccount, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'contacts-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(lines: readonly string[]): string {
  const file = join(folder, `${files++}.csv`);
  writeFileSync(file, lines.join('\r\n'));
  return file;
}

async function run({ accountId }: TestAccount, file: string, options: Partial<ContactsImport> = {}) {
  const report = await importContacts({
    store: accountStore(testTable(), accountId),
    file,
    organizations: [{ Id: 1, PublicName: 'Springfield', LocationID: '' }],
    customFields: [],
    ...options,
  });
  if (!options.dryRun) expect(missingRows(report)).toBe(0);
  return report;
}

const person = (index: number) =>
  `Person ${String.fromCodePoint(65 + (index % 26))}${index},p${index}@example.com,(217) 555-0${100 + index},VIP,Hello ${index}`;
const many = (count: number) => [
  'Name,Email,Phone,Tags,Notes',
  ...Array.from({ length: count }, (_, index) => person(index)),
];

const located = async ({ call }: TestAccount, EmailSearch: string) =>
  (await call('contacts/locate', { EmailSearch })).body['Matches'] as { Name: string; Notes: { Body: string }[] }[];

describe('importing contacts', () => {
  test('finds existing contacts, creates the others, and lets the last line about a contact win', async () => {
    const account = await testAccount();
    await account.call('contacts/addupdate', { Name: 'Ana Ruiz', Email: 'ana@example.com', City: 'Springfield' });
    const lines = [
      'Name,Email,Phone',
      'Ana Maria Ruiz,ANA@example.com,',
      'Ben Lee,ben@example.com,(217) 555-0143',
      'Cy Doe,,(217) 555-0144',
      'Ben A. Lee,ben@example.com,',
      'Cy Doe,,(217) 555-0144',
    ];
    expect(await run(account, fileOf(lines))).toMatchObject({
      Rows: 5,
      Created: 2,
      Updated: 2,
      Unchanged: 1,
      Skipped: 0,
      Changed: [],
      Errors: [],
    });
    expect(await located(account, 'ana@example.com')).toMatchObject([{ Name: 'Ana Maria Ruiz', City: 'Springfield' }]);
    expect(await located(account, 'ben@example.com')).toMatchObject([{ Name: 'Ben A. Lee', Phone: '(217) 555-0143' }]);
  });

  test('makes a contact of each person of a shared mailbox, and finds each again by its name', async () => {
    const account = await testAccount();
    await account.call('contacts/addupdate', {
      Name: 'Ann Lee',
      Email: 'office@pm.example',
      Address1: '12 Main Street',
    });
    const lines = [
      'Name,Email,Street,City',
      'Bob Ray,office@pm.example,9 Oak Street,',
      'Cid Moe,OFFICE@pm.example,3 Elm Street,',
      'Bob,office@pm.example,,Springfield',
    ];
    expect(await run(account, fileOf(lines))).toMatchObject({ Created: 2, Updated: 1, Errors: [] });
    const people = (await located(account, 'office@pm.example')) as unknown as Record<string, string>[];
    expect(new Set(people.map(({ Name, Address1, City }) => [Name, Address1, City].join('; ')))).toEqual(
      new Set(['Ann Lee; 12 Main Street; ', 'Bob; 9 Oak Street; Springfield', 'Cid Moe; 3 Elm Street; ']),
    );
  });

  test('reports each invalid line and imports the others', async () => {
    const account = await testAccount();
    const lines = [
      'Name,Email,Phone,Channel',
      'Ana,ana@example.com,,',
      'Ben,nobody,,',
      ',,,',
      'Cy,cy@example.com,12,',
      'Di,di@example.com,,Radio',
      'Eve,eve@example.com,,,more',
      ',,,x',
      '"Flo,flo@example.com,,',
    ];
    const result = await run(account, fileOf(lines));
    expect(result).toMatchObject({ Rows: 7, Created: 1 });
    expect(result.Errors.map(({ Line, Column }) => [Line, Column])).toEqual([
      [3, 'Email'],
      [5, 'Phone'],
      [6, 'Channel'],
      [7, ''],
      [8, 'Channel'],
      [8, 'Email'],
      [9, ''],
    ]);
  });

  test('imports each line once, wherever a run is killed, and counts the lines of earlier runs', async () => {
    const lines = many(60);
    const file = fileOf(lines);
    for (const survives of [0, 1, 2]) {
      const account = await testAccount();
      const table = testTable();
      let left = survives;
      const dying: TableWriter = {
        ...table,
        commit: async (changes) => {
          if (left-- <= 0) throw new TypeError('killed');
          await table.commit(changes);
        },
      };
      await expect(run(account, file, { store: accountStore(dying, account.accountId) })).rejects.toThrow('killed');
      const result = await run(account, file);
      expect(result).toMatchObject({ Rows: 60, Updated: 0, Unchanged: 0, Errors: [] });
      expect(result.Created + result.Skipped).toBe(60);
      expect(result.Skipped % 25).toBe(0);
      for (const index of [0, 24, 25, 49, 59])
        expect(await located(account, `p${index}@example.com`)).toMatchObject([
          { Notes: [{ Body: `Hello ${index}` }] },
        ]);
      expect(await run(account, file)).toMatchObject({ Created: 0, Skipped: 60 });
      if (survives > 0) continue;
      expect(await run(account, file, { again: true })).toMatchObject({
        Created: 0,
        Updated: 0,
        Unchanged: 60,
        Skipped: 0,
      });
    }
  });

  test('imports lines whose new tags are more than one transaction takes', async () => {
    const tags = (index: number) => Array.from({ length: 5 }, (_, tag) => `Tag ${index}.${tag}`).join(';');
    const lines = Array.from({ length: 25 }, (_, index) => `Person ${index},p${index}@example.com,"${tags(index)}"`);
    const account = await testAccount();
    expect(await run(account, fileOf(['Name,Email,Tags', ...lines]))).toMatchObject({ Created: 25, Errors: [] });
  });

  test('imports no line twice when a reply is lost after the commit', async () => {
    const account = await testAccount();
    const table = testTable();
    const { StoreUnavailable } = await import('../../../../lib/store/dynamodb/errors.ts');
    let commits = 0;
    const losing: TableWriter = {
      ...table,
      commit: async (changes) => {
        await table.commit(changes);
        if (commits++ === 1) throw new StoreUnavailable('no reply');
      },
    };
    const result = await run(account, fileOf(many(60)), { store: accountStore(losing, account.accountId) });
    expect(result.Created + result.Skipped).toBe(60);
    for (const index of [0, 30, 59])
      expect(await located(account, `p${index}@example.com`)).toMatchObject([{ Notes: [{ Body: `Hello ${index}` }] }]);
  });

  test('writes nothing in a dry run', async () => {
    const account = await testAccount();
    expect(await run(account, fileOf(many(3)), { dryRun: true })).toMatchObject({
      Rows: 3,
      Created: 0,
      Updated: 0,
      Unchanged: 0,
      Skipped: 0,
      Changed: [],
      Errors: [],
    });
    expect(await located(account, 'p1@example.com')).toEqual([]);
  });

  test('reports progress', async () => {
    const calls: number[] = [];
    await run(await testAccount(), fileOf(many(60)), { onProgress: (done, total) => calls.push(done, total) });
    expect(calls.slice(-2)).toEqual([60, 60]);
    expect(calls.filter((_, index) => index % 2 === 1)).toEqual(calls.flatMap((_, index) => (index % 2 ? [60] : [])));
  });

  test('refuses a file that is empty or not UTF-8, or has an unknown column', async () => {
    const account = await testAccount();
    const latin = join(folder, 'latin.csv');
    writeFileSync(latin, Buffer.from('Name\nJos\xE9', 'latin1'));
    await expect(run(account, latin)).rejects.toThrow('is not UTF-8 but probably Windows-1252: line ');
    await expect(run(account, fileOf([]))).rejects.toThrow('is empty');
    await expect(run(account, fileOf(['Nam,Colour', 'A,B']))).rejects.toThrow('Did you mean Name?');
  });
});

describe("the demo's contacts", () => {
  const file = readFileSync(join(import.meta.dirname, '../../../../infra/cli/demo/contacts.csv'), 'utf8');
  const [header = '', ...lines] = file.trimEnd().split('\r\n');
  const columns = header.split(',');
  const contacts = lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain,
    );
    return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
  });

  test('are 200 invented people: e-mail addresses at example.com, phone numbers reserved for fiction', () => {
    expect(contacts).toHaveLength(200);
    expect(new Set(contacts.map(({ Email }) => Email)).size).toBe(200);
    expect(contacts.filter(({ Email }) => !Email?.endsWith('@example.com'))).toEqual([]);
    expect(contacts.filter(({ Phone }) => !/^\(\d{3}\) 555-01\d\d$/.test(Phone ?? ''))).toEqual([]);
  });

  test('live at places of the postal data', async () => {
    const codes = await loadPostalData();
    const american = contacts.filter(({ Country }) => !Country);
    expect(american.length).toBeGreaterThan(150);
    expect(
      american.filter(({ City, State, Zip = '' }) => {
        const place = codes.find(Zip);
        return place?.city !== City || place?.state !== State;
      }),
    ).toEqual([]);
  });
});
