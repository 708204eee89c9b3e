import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import operationIds from './contract/operation-ids.json' with { type: 'json' };

/** Every recorded answer is of this moment, a Monday: recording again changes only what an operation changes. */
const NOW = Date.parse('2026-03-02T15:00:00Z');
const SystemDate = Date;
const startedAt = SystemDate.now();

/** The clock of the recording. The engine and the stream have the real one. */
class FixedDate extends SystemDate {
  constructor(value: number | string | Date = NOW) {
    super(value);
  }

  static override now(): number {
    return NOW;
  }
}

/** Elements that a list of a recorded answer keeps. */
const MAX_ELEMENTS = 2;
const HANDLE = '7gQ2mXc0RkZ4tVb9LhW1sE';
const HASH = '3f9ac1d27be84605a8d4f0127c6e5b93';
const ACCOUNT = 'k2mdbq7xw4tz';
const SECRET = 'whsec_Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vIHNlY3JldCE=';
const DOWNLOAD = '4Vd0kT9mQx2LhW7sRb1ZpE';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Those of a test's key are no example. */
const NUMBERS: Readonly<Record<string, readonly [tested: number, usual: number]>> = {
  Rate: [100_000, 50],
  Burst: [200_000, 100],
  InFlight: [10_000, 25],
};

/** A link of a client: what names its record, in base 36, and a signature of 22 characters. */
const LINK = /http:\/\/127\.0\.0\.1:\d+\/c\/(\w+)\/\w+(-[\w.]+-\w+-\w+-)[\w-]{22}(\/(?:pdf|visits\.ics))?/g;

/** A value that differs at each run, as one that does not. */
function toStable(name: string, value: string): string {
  if (name === 'HashKey' && value) return HANDLE;
  if (/^(Hash|ReferredByHash)$/.test(name) && value) return HASH;
  if (name === 'DownloadId' && value) return DOWNLOAD;
  if (name === 'AccountId' && value) return ACCOUNT;
  const linked = value.replaceAll(LINK, `https://api.example.com/c/$1/${ACCOUNT}$2${HANDLE}$3`);
  if (linked !== value) return linked;
  // The local bucket, by a signed address.
  const file = name === 'Url' ? /^http:\/\/127\.0\.0\.1:\d+\/.*\/([^/?]+)\?/.exec(value)?.[1] : undefined;
  if (file) return `https://files.example.com/downloads/${file}`;
  if (name === 'RequestId' && value) return 'JKJaXmPLvHcESHA=';
  if ((name === 'Key' || name === 'Public') && /^[0-9A-Za-z]{12}$/.test(value)) return 'k3Xv9QpLm2Ta';
  const isRecent = /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(SystemDate.parse(value) - startedAt) < 86_400_000;
  if (isRecent) return new SystemDate(NOW).toISOString().replace('.000', '');
  if (value.startsWith('whsec_')) return SECRET;
  return value.replaceAll(/\b[0-9a-f]{64}\b/g, SHA256);
}

function toStableNumber(name: string, value: number): number {
  if (name === 'Milliseconds') return 41;
  const [tested, usual = value] = NUMBERS[name] ?? [];
  return value === tested ? usual : value;
}

function stable(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return toStable(name, value);
  if (typeof value === 'number') return toStableNumber(name, value);
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map((each) => stable(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([field, inner]) => [field, stable(inner, field)] as const);
  // The data of an event comes from the stream, which gives the fields in any order.
  return Object.fromEntries(name === 'Data' ? fields.sort(([a], [b]) => (a < b ? -1 : 1)) : fields);
}

/** Writes one value a line. */
async function writeRecord(path: string, values: ReadonlyMap<string, unknown>): Promise<void> {
  const lines = [...values].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  await writeFile(new URL(path, import.meta.url), `{\n${lines.sort().join(',\n')}\n}\n`);
}

const root = fileURLToPath(new URL('..', import.meta.url));

const format = (...files: string[]) => execFileSync('oxfmt', files, { cwd: root });

/** Writes the ends of pages that follow from declarations. */
async function writeGeneratedParts(): Promise<void> {
  const { generatedParts } = await import('./support/documents/generated-parts.ts');
  for (const { page, start, text } of generatedParts) {
    const written = await readFile(join(root, page), 'utf8');
    await writeFile(join(root, page), `${written.slice(0, written.indexOf(start))}${text()}\n`);
  }
  format(...generatedParts.map(({ page }) => page));
}

/** Writes the operations of each group, which functions read that load no group. */
async function writeOperationNames(names: readonly string[]): Promise<void> {
  const byGroup = new Map<string, string[]>();
  for (const name of names) {
    const [group = '', operation = ''] = name.split('/');
    byGroup.set(group, [...(byGroup.get(group) ?? []), operation]);
  }
  const file = 'functions/operation-names.json';
  await writeFile(join(root, file), JSON.stringify(Object.fromEntries(byGroup)));
  format(file);
}

/**
 * `npm run examples`: calls every operation with its example, each in an account of its own, and writes the answers to
 * infra/answers.json, one a line. The OpenAPI document shows them. Ids of new operations go to
 * test/contract/operation-ids.json, names to functions/operation-names.json, and what pages have of declarations to the
 * pages.
 */
async function main(): Promise<void> {
  await writeGeneratedParts();
  globalThis.Date = FixedDate as DateConstructor;
  const { groups } = await import('../functions/index.ts');
  const { operationId } = await import('../lib/api/openapi/operation-ids.ts');
  const { startStack } = await import('../infra/local/stack.ts');
  const { exampleAccount } = await import('./support/documents/examples.ts');
  const { setTestStack } = await import('./support/stack/stack.ts');
  const { startRemote } = await import('./support/stack/remote.ts');
  const folder = await mkdtemp(join(tmpdir(), 'examples-'));
  const stack = await startStack({ folder, port: 0, retryMilliseconds: 1 });
  const remote = await startRemote(stack);
  setTestStack({ ...stack.local, remote: remote.address, freshBaseUrl: stack.baseUrl });
  try {
    const answers = new Map<string, unknown>();
    const ids = new Map<string, string>();
    const operations = groups.flatMap((group) => group.operations);
    await writeOperationNames(operations.map(({ name }) => name));
    for (const operation of operations) {
      const { name, example } = operation;
      const account = await exampleAccount();
      const { status, text, body } = await account.call(name, example);
      if (status !== 200) throw new Error(`${name} answers ${status}: ${text}`);
      ids.set(name, operationId(operation));
      answers.set(name, stable(body));
    }
    await writeRecord('../infra/answers.json', answers);
    // What is recorded stays: an id never changes.
    await writeRecord('contract/operation-ids.json', new Map([...ids, ...Object.entries(operationIds)]));
  } finally {
    await remote.stop();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
process.exit();
