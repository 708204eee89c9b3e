import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocks, npxOfTool } from '../support/documents/pages.ts';
import { housecallCustomers, jobberClients, jobberInvoices, jobberVisits } from '../support/other-systems.ts';
import { HOUSECALL_ESTIMATES, HOUSECALL_INVOICES, HOUSECALL_JOBS, csvOf } from '../support/real-exports.ts';
import { type StackProcess, running } from '../support/stack/process.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, 'docs/guides', name), 'utf8');
const blocksOf = (name: string) => codeBlocks(read(name));
const codeOf = (name: string, language: string) =>
  blocksOf(name).flatMap((block) => (block.language === language ? [block.text] : []));

let folder: string;
let stack: StackProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  stack = await running({ FS_DATA: folder, FS_DEMO: 'small' });
});
afterAll(async () => {
  await stack.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Code of a guide for this stack, its key and its folder. */
const adapted = (code: string): string =>
  code
    .replaceAll('http://127.0.0.1:4000', stack.local.BaseUrl)
    .replaceAll('fsk_…', stack.local.ApiKey)
    .replaceAll('.local/', `${folder}/`)
    .replaceAll('../my-app', folder)
    .replaceAll(/\b(?:[a-z-]+\.csv|(?:acme|rules)\.yaml)/g, (name) => join(folder, name));

async function run(program: string, ...parameters: readonly string[]): Promise<string> {
  const env = { ...process.env, FS_DATA: folder, KEY: stack.local.ApiKey };
  return (await promisify(execFile)(program, parameters, { cwd: root, env })).stdout;
}

/** Runs the commands of a guide behind the helpers of the first one; returns what they print. */
function follow(name: string): Promise<string> {
  const [helpers = ''] = codeOf('first-call.md', 'sh');
  const script = [npxOfTool, helpers.split('\n\n')[0], ...codeOf(name, 'sh')].join('\n');
  return run('bash', '-euo', 'pipefail', '-c', adapted(script));
}

/** What the call of a block answers. */
async function runTypeScript(code: string): Promise<string> {
  const file = join(folder, 'block.mts');
  const answer = /\bResultCode\b/.test(code) ? '{ ResultCode }' : 'await response.json()';
  writeFileSync(file, `${adapted(code)}\nconsole.log(${answer});\n`);
  return await run(process.execPath, file);
}

const guides = readdirSync(join(root, 'docs/guides'));

test.each(guides)('%s does what it says on a local stack', { timeout: 120_000 }, async (name) => {
  if (name === 'moving.md') writeExports();
  expect(codeOf(name, 'sh').length).toBeGreaterThan(0);
  const output = await follow(name);
  expect(output.trim()).not.toBe('');
  expect(output).not.toMatch(/"ResultCode":[1-9]/);
  expect(output).not.toMatch(/^undefined$/m);
  for (const code of codeOf(name, 'ts')) expect(await runTypeScript(code)).toContain('ResultCode: 0');
  for (const code of codeOf(name, 'python').map(withCall))
    expect((await run('python3', '-c', adapted(code))).trim()).not.toBe('');
});

/** The function of webhooks.md, with calls that are signed, altered, old, and of another secret. */
function withCall(code: string): string {
  if (!code.includes('def is_signed')) return code;
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headersAt = (at: Date) =>
    JSON.stringify({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,b3RoZXI= ${new Webhook(secret).sign('msg_1', at, '{}')}`,
    });
  const [now, old] = [headersAt(new Date()), headersAt(new Date(Date.now() - 400_000))];
  const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  return `${code}
assert is_signed(b"{}", ${now}, "${secret}")
assert not is_signed(b"[]", ${now}, "${secret}")
assert not is_signed(b"{}", ${old}, "${secret}")
assert not is_signed(b"{}", ${now}, "${other}")
print("verified")`;
}

/** Files that the other systems of moving.md export. */
function writeExports(): void {
  const client = { 'Customer name': 'Ana Archer 0' };
  const created = { ...client, 'Created date': '04/03/2026' };
  const files = {
    clients: jobberClients(10),
    visits: jobberVisits(10, 10).text,
    invoices: jobberInvoices(10, 10).text,
    customers: housecallCustomers(10),
    jobs: csvOf(HOUSECALL_JOBS, [
      {
        ...client,
        'Job #': '1',
        'Job description': 'Window cleaning',
        'Job status': 'Completed',
        'Job amount': '$80.00',
        'Job scheduled start date': '04/02/2026 9:30am',
        'Job scheduled end date': '04/02/2026 11:00am',
      },
    ]),
    'job-invoices': csvOf(HOUSECALL_INVOICES, [
      { ...created, 'Invoice #': '1', 'Invoice amount': '$80.00', 'Amount due': '$0.00' },
    ]),
    estimates: csvOf(HOUSECALL_ESTIMATES, [
      {
        ...created,
        'Estimate #': '1',
        Description: 'Window cleaning',
        'Sub-total': '$80.00',
        'Estimate status': 'Open',
      },
    ]),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), text);
}

test(
  'the texts of messages.md are imported, and no other guide has files of its own',
  { timeout: 60_000 },
  async () => {
    const [texts = '', ...others] = guides.flatMap((name) => (name === 'moving.md' ? [] : codeOf(name, 'yaml')));
    expect(others).toEqual([]);
    writeFileSync(join(folder, 'texts.yaml'), texts);
    expect(await run('npx', 'fs', 'import', join(folder, 'texts.yaml'), '--dry-run')).toMatch(/1 updated/);
  },
);

test('the mapping file of moving.md imports files with its columns', { timeout: 60_000 }, async () => {
  const [, mapping = '', ...others] = codeOf('moving.md', 'yaml');
  expect(others).toEqual([]);
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const words = [
    '--from',
    write('acme.yaml', mapping),
    '--json',
    '--organization',
    'Evergreen Richmond',
    write(
      'acme-customers.csv',
      'Customer No,First,Last,Firm,Street,Postcode,Mail,Cell,Groups,Inactive,Remarks,Site 1 street,Site 1 zip,Internal code\n' +
        '7,Ann,Abel,,1 Elm Street,23220,ann@example.com,(804) 555-0107,VIP,no,Has a dog,9 Oak Street,23220,X\n',
    ),
    write(
      'acme-jobs.csv',
      'Job,Day,Time,Work,Technician,Done on,Price,Customer No\n' +
        '1,2026-03-09,9:00 AM - 11:00 AM,Window Cleaning,,2026-03-09,80.00,7\n',
    ),
    write('acme-invoices.csv', 'Invoice,Issued,Total,Open,Tax,Customer No\nA-1,2026-03-09,80.00,30.00,0,7\n'),
  ];
  const reports = JSON.parse(await run('npx', 'fs', 'import', ...words)) as object[];
  expect(reports).toMatchObject([
    { Kind: 'contacts', Created: 2, Properties: 1, LostColumns: [], Lost: [], Errors: [] },
    { Kind: 'visits', Created: 1, Lost: [], Errors: [], Booked: { Total: 80 } },
    { Kind: 'invoices', Created: 1, Lost: [], Errors: [], Booked: { Total: 80, Balance: 30 } },
  ]);
});
