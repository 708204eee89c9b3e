import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Bundle, bundleOptions, largeGroups, makeBundles } from '../../infra/bundle/bundle.ts';
import { median, printTable } from './table.ts';

const RUNS = 15;

/** Loads a bundle and prints how much CPU its process has used since its start, in microseconds. */
const loader = `
const module_ = require(process.argv[1]);
if (!module_.handler) throw new Error('no handler');
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
  readonly cold: number[];
  readonly cached: number[];
}

const limitOf = (name: string): number => (largeGroups.has(name) ? 1.35 : 1.25);
const cachedLimitOf = (name: string): number => (largeGroups.has(name) ? 1.05 : 1);

/**
 * CPU from the start of a process to a loaded bundle, against a bare handler, in shuffled rounds, with and without a V8
 * compile cache, and the sizes. Fails when a limit is exceeded.
 */
export async function start(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    const bundles: readonly Bundle[] = await makeBundles(folder);
    const bareFile = await makeBare(folder);
    const subject = (name: string, file: string, bytes: number, budget: number): Subject => ({
      name,
      file,
      kilobytes: bytes / 1000,
      budget: budget / 1000,
      cold: [],
      cached: [],
    });
    const subjects = [
      subject('bare handler', bareFile, 0, Infinity),
      ...bundles.map(({ name, file, bytes, budget }) => subject(name, file, bytes, budget)),
    ];
    const cache = { NODE_COMPILE_CACHE: join(folder, 'cache') };
    for (const { file } of subjects) load(file, cache);
    for (let round = 0; round < RUNS; round++) {
      for (const one of [...subjects].sort(() => Math.random() - 0.5)) {
        one.cold.push(load(one.file, {}));
        one.cached.push(load(one.file, cache));
      }
    }
    const base = median(subjects[0]?.cold ?? []);
    const judged = subjects.map(({ name, kilobytes, budget, cold, cached }) => {
      const ratio = median(cold) / base;
      const cachedRatio = median(cached) / base;
      const limit = limitOf(name);
      const ok =
        name === 'bare handler' || (kilobytes <= budget && ratio <= limit && cachedRatio <= cachedLimitOf(name));
      return {
        ok,
        cells: [
          name,
          kilobytes ? kilobytes.toFixed(1) : '',
          median(cold) / 1000,
          ratio,
          limit,
          cachedRatio,
          ok ? 'ok' : 'over',
        ],
      };
    });
    printTable(
      ['bundle', 'KB', 'CPU ms from start', 'against bare', 'limit', 'with compile cache (≤ 1; large ≤ 1.05)', ''],
      judged.map(({ cells }) => cells),
    );
    return judged.every(({ ok }) => ok);
  } finally {
    await rm(folder, { recursive: true });
  }
}
