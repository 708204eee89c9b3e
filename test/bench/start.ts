import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleFile, bundleOptions, entries, makeBundles } from '../../infra/bundle/bundle.ts';
import { type Pair, median, pairedRatio, printTable } from './table.ts';

/** Rounds of all bundles, and further ones of those that seem to be over their limit. */
const [ROUNDS, FURTHER_ROUNDS] = [3, 4];

/**
 * Loads a bundle, and prints the CPU of that in microseconds. Node.js reads the root certificates on another thread
 * from when TLS is loaded: the loader waits for all of that, or a part of it would count.
 */
const loader = `
const before = process.cpuUsage();
const { handler } = require(process.argv[1]);
if (process.moduleLoadList.includes('NativeModule tls')) require('node:tls').createSecureContext();
const { user, system } = process.cpuUsage(before);
if (!handler) throw new Error('no handler');
process.stdout.write(String(user + system));
`;

/** A handler that does one lib-dynamodb Get, bundled in the same way: what any function of the table costs. */
const bare = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async (event) =>
  (await client.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: event.key }))).Item;
`;

function load(file: string): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', loader, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr.slice(0, 500)}`);
  return Number(stdout);
}

/** Bundles the bare handler beside the others. */
export async function makeBare(folder: string): Promise<string> {
  const outfile = bundleFile(folder, 'bare');
  await build({ ...bundleOptions, stdin: { contents: bare, resolveDir: import.meta.dirname }, outfile });
  return outfile;
}

/** With bookings, proposals and the price book. */
const large: ReadonlySet<string> = new Set(['appointments', 'proposal', 'organizations']);
/** With PDF, S3 or Stripe. */
const withLibraries: ReadonlySet<string> = new Set([
  'datasubscriber',
  'download',
  'files',
  'uploads',
  'workers/checkouts',
  'workers/copies',
  'workers/downloads',
  'workers/merges',
]);

/** Two runs on one machine differ by so much: what is over a limit by less is shown, and does not fail. */
export const NOISE = 1.15;

/** At most so many times the CPU of the bare handler. */
const limitOf = (name: string): number => {
  // With the shaping of 13 scripts in PDF, or most operations: Node.js parses the file, though nothing of it runs at
  // the start.
  if (['pages', 'office', 'mcp', 'workers/outbox'].includes(name)) return 3;
  return withLibraries.has(name) ? 2.5 : large.has(name) ? 2 : 1.8;
};

/** The CPU of loading each bundle against a bare handler right after it, in shuffled rounds; fails over a limit. */
export async function start(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    await makeBundles(folder);
    const files = new Map(Object.keys(entries).map((name) => [name, bundleFile(folder, name)]));
    const bareFile = await makeBare(folder);
    const pairs = new Map([...files.keys()].map((name): [string, Pair[]] => [name, []]));
    const ratioOf = (name: string) => pairedRatio(pairs.get(name) ?? []);
    const measure = (names: readonly string[], rounds: number) => {
      for (let round = 0; round < rounds; round++)
        for (const name of names.toSorted(() => Math.random() - 0.5))
          pairs.get(name)?.push({ ours: load(files.get(name) ?? ''), theirs: load(bareFile) });
    };
    measure([...files.keys()], ROUNDS);
    measure(
      [...files.keys()].filter((name) => ratioOf(name) > limitOf(name)),
      FURTHER_ROUNDS,
    );
    const rows = await Promise.all(
      [...files].map(async ([name, file]) => {
        const { size } = await stat(file);
        const milliseconds = median((pairs.get(name) ?? []).map(({ ours }) => ours)) / 1000;
        const kilobytes = Math.round(size / 1000);
        return { name, kilobytes, milliseconds, ratio: ratioOf(name), limit: limitOf(name) };
      }),
    );
    printTable(
      ['bundle', 'KB', 'CPU ms', 'against bare', 'limit', ''],
      rows.map(({ name, kilobytes, milliseconds, ratio, limit }) => {
        return [name, kilobytes, milliseconds, ratio, limit, ratio > limit ? 'over' : ''];
      }),
    );
    return rows.every(({ ratio, limit }) => ratio <= limit * NOISE);
  } finally {
    await rm(folder, { recursive: true });
  }
}
