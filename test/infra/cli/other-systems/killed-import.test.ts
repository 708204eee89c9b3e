import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileReport } from '../../../../infra/cli/imports/report.ts';
import { findLastId, listIdChunks } from '../../../../lib/store/dynamodb/records.ts';
import { type IdKind, type Key, layout } from '../../../../lib/store/keys.ts';
import { housecallCustomers, jobberClients, jobberInvoices, jobberVisits } from '../../../support/other-systems.ts';
import { type FaultyEngine, startFaultyEngine } from '../../../support/faults/faulty-engine.ts';
import { testAccount, testStack, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

/** `npm run prove -- imports`. */
const IN_FULL = process.env['IMPORT_ROWS'] !== undefined;
const ROWS = Number(process.env['IMPORT_ROWS'] ?? 30);
/** Each run starts a process, which takes a second. */
const KILLED_IN: readonly IdKind[] = IN_FULL ? ['Contact', 'Contact', 'Appointment', 'Invoice'] : ['Invoice'];
const LIMIT = 60_000 + ROWS * 200;

const root = join(import.meta.dirname, '..', '..', '..', '..');
/** Names the run's stack as `npm start` names its own, with an account of the test. */
const folder = mkdtempSync(join(tmpdir(), 'killed-import-'));
/** The same, with its table over the line. */
const lined = mkdtempSync(join(tmpdir(), 'killed-import-line-'));
let account: string;
let line: FaultyEngine;
beforeAll(async () => {
  const { accountId: AccountId, organizationId: OrganizationId, key: ApiKey } = await testAccount();
  account = AccountId;
  const local = { ...testStack(), AccountId, OrganizationId, ApiKey };
  line = await startFaultyEngine(local.DynamoDBEndpoint);
  writeFileSync(join(folder, 'local.json'), JSON.stringify(local));
  writeFileSync(join(lined, 'local.json'), JSON.stringify({ ...local, DynamoDBEndpoint: line.endpoint }));
  const company = fileOf(
    'company.yaml',
    'company: Brooks\nservices:\n  - name: Window cleaning\n    basePrice: 50\n    duration: 60\n',
  );
  await finish(importing(company));
}, LIMIT);
afterAll(async () => {
  await line.stop();
  for (const each of [folder, lined]) rmSync(each, { recursive: true });
});

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** `fs import` in a process of its own, of the stack that a folder names. */
function importInto(data: string, words: readonly string[]): ChildProcess {
  const program = join(root, 'infra', 'cli', 'bin.js');
  const env = { ...process.env, FS_DATA: data };
  return spawn(process.execPath, [program, 'import', ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
const importing = (...words: readonly string[]) => importInto(folder, words);

async function finish(child: ChildProcess): Promise<string> {
  let [output, errors] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(errors.replaceAll(/^.* s left\n/gm, '')).toBe('');
  expect(code).toBe(0);
  return output;
}

async function report(...words: readonly string[]): Promise<FileReport[]> {
  return JSON.parse(await finish(importing(...words, '--json'))) as FileReport[];
}

const keyOf = { Contact: layout.contact, Appointment: layout.appointment, Invoice: layout.invoice } as const;

/** The stored records of a kind. */
async function records(kind: keyof typeof keyOf) {
  const from = testTable();
  const found = [];
  for await (const ids of listIdChunks(accountStore(from, account), kind)) {
    const keys: Key[] = ids.map((id) => keyOf[kind].key({ account, id }));
    found.push(...(await from.getMany(keys)));
  }
  return found;
}

/** Kills an import with -9 once it has reserved ids for so many more records, at a request that is never answered. */
async function killAfter(kind: IdKind, count: number, words: readonly string[]): Promise<void> {
  const ids = () => findLastId(accountStore(testTable(), account), kind);
  const first = await ids();
  const child = importInto(lined, words);
  const gone = once(child, 'exit');
  line.fail(async () => {
    if ((await ids()) < first + count) return undefined;
    child.kill('SIGKILL');
    return 'unanswered';
  });
  expect((await gone)[1]).toBe('SIGKILL');
  line.fail(undefined);
}

const sumOf = (items: readonly Readonly<Record<string, unknown>>[], name: string): number =>
  items.reduce((sum, item) => sum + Math.round(Number(item[name]) * 100), 0);

const distinct = (items: readonly Readonly<Record<string, unknown>>[], name: string): number =>
  new Set(items.map((item) => item[name])).size;

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  const result = await work();
  const seconds = (performance.now() - since) / 1_000;
  if (process.env['IMPORT_ROWS'])
    process.stdout.write(`imports: ${what}: ${seconds.toFixed(1)} s, ${(ROWS / seconds).toFixed(0)} rows a second\n`);
  return result;
}

describe(`an import of ${ROWS} rows that is killed`, { timeout: LIMIT * 3 }, () => {
  test('of Jobber goes on where it ended, doubles nothing, and balances to the cent', async () => {
    const [visits, invoices] = [jobberVisits(ROWS, ROWS), jobberInvoices(ROWS, ROWS)];
    const clientsFile = fileOf('clients.csv', jobberClients(ROWS));
    const files = [clientsFile, fileOf('visits.csv', visits.text), fileOf('invoices.csv', invoices.text)];
    const words = ['--from', 'jobber', ...files];
    const others = await records('Contact');
    for (const kind of KILLED_IN) await killAfter(kind, Math.floor(ROWS / 3), words);
    const reports = await timed('Jobber, the rest', () => report(...words));
    expect(reports.map(({ Errors }) => Errors)).toEqual([[], [], []]);
    const [, work, bills] = reports;
    expect(work?.Booked).toEqual({ Total: visits.cents / 100 });
    expect(bills?.Booked).toEqual({ Total: invoices.total / 100, Balance: invoices.balance / 100 });

    const contacts = await records('Contact');
    expect(contacts.length - others.length).toBe(ROWS);
    expect(distinct(contacts, 'DigitalTrackingId')).toBe(distinct(others, 'DigitalTrackingId') + ROWS);
    const appointments = await records('Appointment');
    expect(appointments).toHaveLength(ROWS);
    expect(sumOf(appointments, 'Total')).toBe(visits.cents);
    const stored = await records('Invoice');
    expect(stored).toHaveLength(ROWS);
    expect(sumOf(stored, 'Total')).toBe(invoices.total);
    expect(sumOf(stored, 'Total') - sumOf(stored, 'Paid')).toBe(invoices.balance);

    const again = await timed('Jobber, a second run', () => report(...words));
    for (const each of again) expect(each).toMatchObject({ Created: 0, Updated: 0, Errors: [] });
  });

  test.runIf(IN_FULL)('of Housecall Pro goes on where it ended and doubles nothing', async () => {
    const others = await records('Contact');
    const words = ['--from', 'housecallpro', fileOf('customers.csv', housecallCustomers(ROWS))];
    await killAfter('Contact', Math.floor(ROWS / 2), words);
    const [customers] = await timed('Housecall Pro, the rest', () => report(...words));
    expect(customers?.Errors).toEqual([]);
    const contacts = await records('Contact');
    const added = contacts.length - others.length;
    expect(added).toBe(ROWS + (customers?.Properties ?? 0));
    expect(customers?.Properties).toBe(2 * Math.ceil(ROWS / 8));
    expect(distinct(contacts, 'DigitalTrackingId')).toBe(distinct(others, 'DigitalTrackingId') + added);
    const [again] = await timed('Housecall Pro, a second run', () => report(...words));
    expect(again).toMatchObject({ Created: 0, Updated: 0, Errors: [] });
  });
});
