import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Bundle, bundleOptions, largeGroups, makeBundles } from '../../infra/bundle/bundle.ts';
import { type Pair, lowerQuartile, measureUntilCertain, pairedRatio, printTable } from './table.ts';

/** Loads of a function, of one that is near its limit, and of one that seems over it. */
const ROUNDS = [3, 7, 17, 41, 97];
/** Of three pairs the median is seldom wrong by so much. */
const NEAR = 0.95;

/**
 * Loads a bundle and prints how much CPU its process has used since its start, in microseconds. From when TLS is loaded,
 * Node.js reads the root certificates on a thread beside, 13 ms of CPU, for which the first connection waits. So does
 * the loader: else a part of them would count, as large as the threads happened to be fast.
 */
const loader = `
const module_ = require(process.argv[1]);
if (!module_.handler) throw new Error('no handler');
if (process.moduleLoadList.includes('NativeModule tls')) require('node:tls').createSecureContext();
const { user, system } = process.cpuUsage();
process.stdout.write(String(user + system));
`;

/** A handler that does one lib-dynamodb Get, built the same way: what any function of the table costs. */
const bare = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async (event) => (await client.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: event.key }))).Item;
`;

function load(file: string, environment: Record<string, string>): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', loader, file], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr.slice(0, 500)}`);
  return Number(stdout);
}

/** Bundles the bare handler beside the others, with the same options. */
export async function makeBare(folder: string): Promise<string> {
  const source = join(import.meta.dirname, '.bare.js');
  const outfile = join(folder, 'bare', 'index.js');
  await writeFile(source, bare);
  try {
    await build({ ...bundleOptions, entryPoints: [source], outfile });
  } finally {
    await rm(source);
  }
  return outfile;
}

interface Subject {
  readonly name: string;
  readonly file: string;
  readonly kilobytes: number;
  readonly budget: number;
  readonly cold: Pair[];
  readonly cached: Pair[];
}

/** Their main work is with files of the bucket: they load the client of S3 at their start or in nearly every call. */
const fileFunctions: ReadonlySet<string> = new Set(['uploads', 'files', 'workers/downloads', 'workers/copies']);

/** At most so many times the CPU of a bare handler: without and with a compile cache. */
function limitsOf(name: string): { readonly cold: number; readonly cached: number } {
  if (fileFunctions.has(name)) return { cold: 1.4, cached: 1.15 };
  return largeGroups.has(name) ? { cold: 1.35, cached: 1.1 } : { cold: 1.2, cached: 1 };
}

function figuresOf({ name, kilobytes, budget, cold, cached }: Subject) {
  const limits = limitsOf(name);
  const [ratio, cachedRatio] = [pairedRatio(cold), pairedRatio(cached)];
  const part = Math.max(ratio / limits.cold, cachedRatio / limits.cached);
  return { ratio, cachedRatio, limits, isOver: kilobytes > budget || part > 1, isNear: part > NEAR };
}

/**
 * CPU from the start of a process to a loaded bundle, against a bare handler beside it, with and without a V8 compile
 * cache, and the sizes. Fails when a limit is exceeded.
 */
export async function start(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    const bundles: readonly Bundle[] = await makeBundles(folder);
    const bare = await makeBare(folder);
    const subjects = bundles.map(({ name, file, bytes, budget }): Subject => ({
      name,
      file,
      kilobytes: bytes / 1000,
      budget: budget / 1000,
      cold: [],
      cached: [],
    }));
    const cache = { NODE_COMPILE_CACHE: join(folder, 'cache') };
    for (const { file } of subjects) load(file, cache);
    const measure = ({ file, cold, cached }: Subject): void => {
      const theirs = load(bare, {});
      cold.push({ ours: load(file, {}), theirs });
      cached.push({ ours: load(file, cache), theirs });
    };
    await measureUntilCertain(subjects, ROUNDS, {
      measure,
      isNear: (subject) => figuresOf(subject).isNear,
      isOver: (subject) => figuresOf(subject).isOver,
    });
    const milliseconds = (values: readonly number[]) => lowerQuartile(values) / 1000;
    const base = milliseconds(subjects.flatMap(({ cold }) => cold.map(({ theirs }) => theirs)));
    printTable(
      ['bundle', 'KB at start', 'CPU ms', 'against bare', 'limit', 'with compile cache', 'limit', 'loads', ''],
      [
        ['bare handler', '', base, 1, '', '', '', '', ''],
        ...subjects.map((subject) => {
          const { name, kilobytes, cold } = subject;
          const { ratio, cachedRatio, limits, isOver } = figuresOf(subject);
          const [size, cpu] = [kilobytes.toFixed(1), milliseconds(cold.map(({ ours }) => ours))];
          const judged = [ratio, limits.cold, cachedRatio, limits.cached, cold.length, isOver ? 'over' : 'ok'];
          return [name, size, cpu, ...judged];
        }),
      ],
    );
    return subjects.length > 0 && !subjects.some((subject) => figuresOf(subject).isOver);
  } finally {
    await rm(folder, { recursive: true });
  }
}
