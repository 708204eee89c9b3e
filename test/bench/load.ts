import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { startStack } from '../../infra/local/stack.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { type Call, type Kinds, makeLoadCompany } from './load-company.ts';
import { median, printTable } from './table.ts';
import { accountStore } from '../../lib/store/store.ts';

const CLIENTS = 32;
const ROUNDS = 5;
const SECONDS = 2;
/** Reads a second, of what the SDK reads a second when nothing is around it. */
const LEAST = 0.3;

/** Of ten calls six read, three write and one searches for slots. */
const MIXED: readonly (keyof Kinds)[] = [
  'read',
  'write',
  'read',
  'read',
  'write',
  'read',
  'slots',
  'read',
  'write',
  'read',
];

interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of the processor for a call, of this process: clients, stack and workers. */
  readonly cpu: number;
}

/** Has 32 clients call one after another for so long. */
async function measure(work: () => Promise<void>, seconds: number): Promise<Figures> {
  const times: number[] = [];
  const before = process.cpuUsage();
  const since = performance.now();
  const client = async () => {
    for (let now = performance.now(); now < since + seconds * 1_000;) {
      const at = now;
      await work();
      now = performance.now();
      times.push(now - at);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return {
    rate: (times.length * 1_000) / (performance.now() - since),
    p50: at(0.5),
    p99: at(0.99),
    cpu: (user + system) / 1_000 / times.length,
  };
}

/** A client as small as Node.js allows: what it takes of the processor is in the figures. */
function httpClient(baseUrl: string, agent: Agent, key: () => string): Call {
  return async (operation, body) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-api-key': key(),
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(`${baseUrl}/api/${operation}`, { agent, method: 'POST', headers }, (response) => {
      resolve(response);
    })
      .on('error', reject)
      .end(text);
    const response = await promise;
    const answer = (await json(response)) as Record<string, unknown>;
    if (response.statusCode === 200) return answer;
    throw new Error(`${operation} answered ${response.statusCode}: ${JSON.stringify(answer)}`);
  };
}

const turns = (of: readonly ((turn: number) => readonly [string, object])[]) => {
  let turn = 0;
  return () => {
    const place = turn++;
    const kind = of[place % of.length];
    if (!kind) throw new Error('a profile has no calls');
    return kind(Math.floor(place / of.length));
  };
};

/**
 * 32 clients, one small company in an empty account, all in one process but the engine: calls a second of four
 * profiles, and of raw GetItem calls through the SDK, in turn in the same run. Fails where reads are under 0.30 of raw.
 */
export async function load(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'load-'));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const stack = await startStack({ folder, port: 0, quiet: true });
  try {
    const table = openTable();
    const { AccountId: accountId, TableName } = stack.local;
    const { key } = await createKey(accountStore(table, accountId), {
      role: 'Owner',
      name: 'bench',
      rate: 1_000_000,
      inFlight: 10_000,
      now: new Date(),
    });
    const call = httpClient(stack.baseUrl, agent, () => key);
    const kinds = await makeLoadCompany(table, accountId, call);
    const next = { read: turns(kinds.read), write: turns(kinds.write), slots: turns(kinds.slots) };
    let mixed = 0;
    const raw = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    const get = { TableName, Key: layout.contact.key({ account: accountId, id: 1 }), ConsistentRead: true };
    const profiles: Record<string, () => Promise<unknown>> = {
      mixed: () => call(...next[MIXED[mixed++ % MIXED.length] ?? 'read']()),
      read: () => call(...next.read()),
      write: () => call(...next.write()),
      slots: () => call(...next.slots()),
      'raw GetItem': () => raw.send(new GetCommand(get)),
    };
    const all = Object.entries(profiles).map(([name, run]) => ({
      name,
      run: async () => void (await run()),
      figures: [] as Figures[],
    }));
    for (const { run } of all) await measure(run, SECONDS / 2);
    for (let round = 0; round < ROUNDS; round++)
      for (const { run, figures } of round % 2 ? all.toReversed() : all) figures.push(await measure(run, SECONDS));
    const rounds = new Map(all.map(({ name, figures }) => [name, figures]));
    // Of each round, because other programs slow a whole round.
    const ofRaw = (figures: readonly Figures[]) =>
      median(figures.map(({ rate }, round) => rate / (rounds.get('raw GetItem')?.[round]?.rate ?? Infinity)));
    printTable(
      ['32 clients', 'calls/s', 'p50 ms', 'p99 ms', 'CPU ms', `of raw (reads ≥ ${LEAST})`],
      all.map(({ name, figures }) => [
        name,
        ...(['rate', 'p50', 'p99', 'cpu'] as const).map((figure) => median(figures.map((one) => one[figure]))),
        ofRaw(figures),
      ]),
    );
    return ofRaw(rounds.get('read') ?? []) >= LEAST;
  } finally {
    agent.destroy();
    await stack.stop();
    await rm(folder, { recursive: true });
  }
}
