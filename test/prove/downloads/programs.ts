import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { openPartFiles } from '../../../lib/files/downloads.ts';
import { HOUR } from '../../../lib/shared/time/time.ts';
import { downloadKey, newDownloadChanges } from '../../../lib/store/downloads.ts';
import { randomHandle } from '../../../lib/store/dynamodb/records.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { makeDownload } from '../../../lib/workflows/downloads/make-download.ts';
import { loadContacts, workerTable } from '../../support/downloads.ts';
import { startTable } from '../../support/stack/engine.ts';
import { type StackProcess, running } from '../../support/stack/process.ts';
import { launchBrowser } from '../browser.ts';
import { accountStore } from '../../../lib/store/store.ts';

const run = promisify(execFile);

/** About 20 MB of CSV. */
const ROWS = 100_000;
const MIN_BYTES = 20_000_000;

/** A ready download of the stack's account, whose contacts are in a table of their own that is loaded fast. */
async function putDownload({ local }: StackProcess): Promise<string> {
  const { AccountId: Account, Bucket: bucket, AwsEndpoint: endpoint } = local;
  const engine = await startTable({ stream: false });
  try {
    await loadContacts(engine, Account, ROWS);
    const table = workerTable(engine);
    const [Id, now] = [randomHandle(22), new Date()];
    const Filter = { spans: {}, settings: {}, organizationId: null, agentId: null };
    const kind = { Kind: 'contacts', Format: 'csv', Filter, FirstId: 1, UserId: null } as const;
    const input = { Id, Account, ...kind, Key: 'proof', Slot: 0, WithTaxpayer: false };
    await table.commit(newDownloadChanges(input, undefined, now));
    const deadline = now.getTime() + HOUR;
    const files = openPartFiles({ bucket, endpoint, deadline });
    // Many checkpoints: each ends a chunk early.
    const making = await makeDownload(downloadKey({ account: Account }, Id), {
      store: accountStore(table, Account),
      files,
      now,
      deadline,
      checkpointEvery: 100,
    });
    if (making.kind !== 'done') throw new Error('The download was not made.', { cause: making });
    const record = await table.get(downloadKey({ account: Account }, Id));
    if (!record) throw new Error('The download is not stored.');
    const { TableName: tableName, DynamoDBEndpoint } = local;
    await openTable({ tableName, endpoint: DynamoDBEndpoint }).putMany([record]);
    return Id;
  } finally {
    await engine.stop();
  }
}

interface Link {
  readonly Url: string;
  readonly Records: number;
  readonly Bytes: number;
  readonly Sha256: string;
}

/** Content-Length and bytes of an answer, as they are sent. */
const fetchRaw = (url: string, encoding: string): Promise<{ length: number; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
      resolve({ length: Number(response.headers['content-length']), bytes });
    }).on('error', reject);
  });

/** What a person saves who follows the link in Chromium. */
async function saveInChromium(url: string, out: string): Promise<void> {
  const browser = await launchBrowser('downloads');
  if (!browser) throw new Error('There is no browser.');
  try {
    const page = await browser.newPage();
    await page.setContent(`<a href="${url.replaceAll('&', '&amp;')}">File</a>`);
    const saved = page.waitForEvent('download');
    await page.click('a');
    await (await saved).saveAs(out);
  } finally {
    await browser.close();
  }
}

type Save = (out: string) => Promise<unknown>;

/** The programs by their names: each saves the file of the download. */
async function programsFor(folder: string, link: Link, gzipUrl: string, environment: Record<string, string>) {
  const options = { cwd: import.meta.dirname, env: { ...process.env, ...environment }, maxBuffer: 1_000_000 };
  const python = join(folder, 'venv', 'bin', 'python');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(python, ['-m', 'pip', 'install', '-q', 'httpx', 'requests']);
  const { BASE_URL, API_KEY, DOWNLOAD_ID } = environment;
  const body = JSON.stringify({ DownloadId: DOWNLOAD_ID });
  const led = ['-fsSL', '-d', body, '-H', 'Accept: text/csv', '-H', `X-Api-Key: ${API_KEY}`];
  const at = `${BASE_URL}/api/download/getdownload`;
  const saves: Record<string, Save> = {
    'Chromium, Url': (out) => saveInChromium(link.Url, out),
    'Chromium, Url of ?gzip=1': (out) => saveInChromium(gzipUrl, out),
    'curl, Url': (out) => run('curl', ['-fsS', '-o', out, link.Url], options),
    'curl --compressed, Url of ?gzip=1': (out) => run('curl', ['-fsS', '--compressed', '-o', out, gzipUrl], options),
    'curl, 303': (out) => run('curl', [...led, '-o', out, at], options),
    'curl --compressed, 303': (out) => run('curl', [...led, '--compressed', '-o', out, at], options),
    'wget, Url': (out) => run('wget', ['-q', '-O', out, link.Url], options),
    'wget --compression=auto, Url of ?gzip=1': (out) =>
      run('wget', ['-q', '--compression=auto', '-O', out, gzipUrl], options),
    'Go, 303': (out) => run('go', ['run', 'fetch.go', out], options),
    'Java, 303': (out) => run('java', ['Fetch.java', out], options),
  };
  for (const library of ['httpx', 'requests', 'urllib'])
    for (const way of ['url', 'led'])
      saves[`Python ${library}, ${way === 'led' ? '303' : 'Url'}`] = (out) =>
        run(python, ['fetch.py', library, way, out], options);
  return saves;
}

/** Every program that saves a file of 20 MB, compressed on the way or not, has all of its rows. */
export async function savedByPrograms(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
  const stack = await running({ FS_DATA: join(folder, 'data') });
  const { BaseUrl, ApiKey } = stack.local;
  try {
    const DownloadId = await putDownload(stack);
    const environment = { BASE_URL: BaseUrl, API_KEY: ApiKey, DOWNLOAD_ID: DownloadId };
    const link = async (query = ''): Promise<Link> => {
      const headers = { 'x-api-key': ApiKey, 'accept-encoding': 'gzip' };
      const init = { method: 'POST', headers, body: JSON.stringify({ DownloadId }) };
      const answer = (await (await fetch(`${BaseUrl}/api/download/getdownload${query}`, init)).json()) as Link;
      if (!answer.Url) throw new Error(JSON.stringify(answer));
      return answer;
    };
    const [plain, { Url: gzipUrl }] = await Promise.all([link(), link('?gzip=1')]);
    const isWhole = (bytes: Buffer): boolean =>
      createHash('sha256').update(bytes).digest('hex') === plain.Sha256 && bytes.length === plain.Bytes;
    const raw = { plain: await fetchRaw(plain.Url, 'identity'), gzip: await fetchRaw(gzipUrl, 'gzip') };
    const hasLengths = Object.values(raw).every(({ length, bytes }) => length === bytes.length);
    let passed = hasLengths && isWhole(gunzipSync(raw.gzip.bytes)) && plain.Bytes >= MIN_BYTES;
    process.stdout.write(`${plain.Records} rows, ${plain.Bytes} bytes, ${raw.gzip.bytes.length} compressed\n`);
    for (const [name, save] of Object.entries(await programsFor(folder, plain, gzipUrl, environment))) {
      const out = join(folder, 'saved');
      const saved = await save(out).then(
        () => readFile(out),
        (error: Error) => error,
      );
      const rows = saved instanceof Error ? saved.message : saved.toString().trimEnd().split('\n').length - 1;
      const isRight = !(saved instanceof Error) && rows === ROWS && isWhole(saved);
      passed &&= isRight;
      process.stdout.write(`${name}: ${rows} rows${isRight ? '' : ', which is wrong'}\n`);
      await rm(out, { force: true });
    }
    return passed;
  } finally {
    await stack.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}
