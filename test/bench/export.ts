import { spawnSync } from 'node:child_process';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { PartFiles } from '../../lib/files/downloads.ts';
import { downloadKinds } from '../../lib/domain/downloads/kinds.ts';
import { attributesOf } from '../../lib/domain/downloads/kind.ts';
import { type DownloadRecord, newDownloadChanges } from '../../lib/store/downloads.ts';
import type { Change, Item } from '../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { Meter } from '../../lib/store/dynamodb/client.ts';
import { makeDownload } from '../../lib/workflows/downloads/make-download.ts';
import { contactItem } from '../support/contact-items.ts';
import { accountStore } from '../../lib/store/store.ts';

const ACCOUNT = 'bench';
const PAGE = 100;
/** Different pages, so that no row is like the one before. */
const PAGES = 50;
/** A row has at least the texts of its contact. */
const MIN_ROW_BYTES = 100;
/** CPU of the download ÷ CPU of JSON.parse of the same answers. */
const MAX_RATIO = 4;
/**
 * The heap that the processes get whose memory is compared: with more, V8 collects later, so that a longer download has
 * more garbage. A download that kept its rows would run out of it.
 */
const HEAP_MB = 64;
const [SMALL, LARGE] = [1_000_000, 3_000_000];
const MAX_GROWTH = 1.2;

const filter = { spans: {}, settings: {}, organizationId: null, agentId: null };
const attributes = new Set(attributesOf(downloadKinds.contacts, filter));

/** Answers of DynamoDB with 100 contacts each, as a download reads them: with its attributes only. */
const pages = Array.from({ length: PAGES }, (_, page) => {
  const items = Array.from({ length: PAGE }, (_, index) => {
    const item = contactItem(ACCOUNT, page * PAGE + index + 1);
    return marshall(Object.fromEntries(Object.entries(item).filter(([name]) => attributes.has(name))));
  });
  return JSON.stringify({ Responses: { table: items }, UnprocessedKeys: {} });
});

type Attributes = Parameters<typeof unmarshall>[0];

const parsePage = (page: number): Attributes[] =>
  (JSON.parse(pages[page % PAGES] ?? '') as { Responses: { table: Attributes[] } }).Responses.table;

/** A table whose contacts are those of the pages, over and over, under the ids that are asked for. */
function pagedTable(last: number): { table: TableWriter; stored: () => DownloadRecord } {
  let download: Item | undefined;
  const put = (change: Change) => {
    if ('put' in change) download = change.put;
  };
  const organization = { Id: 1, PublicName: 'Springfield', LocationID: '', Suspended: false };
  const table = {
    meter: new Meter(),
    get: ({ PK }: Item) =>
      Promise.resolve(PK.includes('#IDS') ? { Last: last } : PK.includes('#DOWNLOAD#') ? download : undefined),
    getMany(keys: readonly Item[]) {
      if (!keys[0]?.PK.includes('#CONTACT#')) return Promise.resolve([organization]);
      const first = Number(keys[0].PK.slice(-10));
      const items = parsePage(Math.floor(first / PAGE)).map((item) => unmarshall(item));
      return Promise.resolve(items.map((item, index) => Object.assign(item, { Id: first + index })));
    },
    /** The account has no payment provider. */
    query: () => Promise.resolve({ items: [], next: undefined, read: 0 }),
    commit: (changes: readonly Change[]) => Promise.resolve(void changes.slice(0, 1).forEach(put)),
  };
  return { table: table as unknown as TableWriter, stored: () => download as unknown as DownloadRecord };
}

/** Files that nobody keeps. */
const noFiles: PartFiles = {
  begin: () => Promise.resolve('upload'),
  putPart: () => Promise.resolve('"0123456789abcdef0123456789abcdef"'),
  complete: () => Promise.resolve(),
  put: () => Promise.resolve(),
  get: () => Promise.resolve(new Uint8Array()),
};

/** Makes a download of so many rows. Throws where it has not exactly these. */
async function exportRows(rows: number): Promise<void> {
  const { table, stored } = pagedTable(rows);
  const input = {
    Id: 'bench',
    Account: ACCOUNT,
    Kind: 'contacts',
    Format: 'csv',
    Filter: filter,
    FirstId: 1,
    UserId: null,
    Key: 'bench',
    Slot: 0,
    WithTaxpayer: false,
  } as const;
  const now = new Date();
  await table.commit(newDownloadChanges(input, undefined, now).slice(0, 1));
  const [{ PK, SK }] = [stored() as unknown as Item];
  const making = await makeDownload(
    { PK, SK },
    { store: accountStore(table, ACCOUNT), files: noFiles, now, deadline: now.getTime() + 3_600_000 },
  );
  if (making.kind === 'unfinished') throw new Error('The download was not finished.', { cause: making.error });
  const { State, Progress } = stored();
  const { Records = 0, Bytes = 0 } = Progress ?? {};
  if (State !== 'Ready' || Records !== rows || Bytes < rows * MIN_ROW_BYTES)
    throw new Error(`The download is ${State} with ${Records} rows of ${Bytes} bytes; ${rows} rows were expected.`);
}

const cpuOf = async (run: () => unknown): Promise<number> => {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

const parsePages = (rows: number) => {
  let parsed = 0;
  for (let page = 0; page < rows / PAGE; page++) parsed += parsePage(page).length;
  return parsed;
};

/** Peak memory, in MB, of a process with a small heap that exports so many rows. Throws where it runs out of heap. */
function peakOf(rows: number): number {
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=8', `--max-old-space-size=${HEAP_MB}`, import.meta.filename, String(rows)],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`The process that exports ${rows} rows ended with ${status ?? signal}.`);
  return Number(stdout);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * The making of a download of contacts, all of it but the requests: decoding the answers of DynamoDB, columns, CSV,
 * SHA-256, compression and checkpoints, against JSON.parse of the same answers; and that three times the rows take the
 * same heap and memory.
 */
export async function exported(): Promise<boolean> {
  const rows = 50_000;
  await exportRows(rows);
  parsePages(rows);
  const rounds: { full: number; parse: number }[] = [];
  for (let round = 0; round < 5; round++)
    rounds.push({ parse: await cpuOf(() => parsePages(rows)), full: await cpuOf(() => exportRows(rows)) });
  const ratio = median(rounds.map(({ full, parse }) => full / parse));
  const microseconds = (median(rounds.map(({ full }) => full)) / rows) * 1_000;
  const [small, large] = [peakOf(SMALL), peakOf(LARGE)];
  const growth = large / small;
  process.stdout.write(
    [
      `CPU of the download / CPU of JSON.parse   ${ratio.toFixed(2)} (at most ${MAX_RATIO})`,
      `CPU of the download                       ${microseconds.toFixed(1)} µs a row`,
      `peak memory at 1,000,000 rows             ${small.toFixed(0)} MB with a heap of ${HEAP_MB} MB`,
      `peak memory at 3,000,000 rows             ${large.toFixed(0)} MB, ${growth.toFixed(2)} of it (at most ${MAX_GROWTH})`,
      '',
    ].join('\n'),
  );
  return ratio <= MAX_RATIO && growth <= MAX_GROWTH;
}

const [request] = process.argv.slice(2);
if (import.meta.main && request) {
  await exportRows(Number(request));
  process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
}
