import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { AddressInfo } from 'node:net';
import { operationTable } from '../../infra/client/described-operations.ts';
import { exactDocument } from '../../infra/client/exact-document.ts';
import answers from '../../infra/answers.json' with { type: 'json' };
import { fieldServiceOf } from '../../lib/client/field-service.ts';
import { type Pair, median, pairedRatio, printTable } from './table.ts';

const CALLS = 25;
/** Turns of both. */
const ROUNDS = 360;
const WARM_UP = 6;
const MAX_RATIO = 1.05;
const OPERATION = 'appointments/book';

/** Answers every request with a booking, in a process of its own: its CPU is not counted. */
function serve(): void {
  const text = JSON.stringify(answers[OPERATION]);
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function cpuPerCall(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/** The CPU of both in turn, one or the other first: what the machine does besides, and the garbage of one, meets both. */
async function measurePair(ours: () => Promise<unknown>, plain: () => Promise<unknown>): Promise<Pair> {
  if (Math.random() < 0.5) return { ours: await cpuPerCall(ours), theirs: await cpuPerCall(plain) };
  const theirs = await cpuPerCall(plain);
  return { ours: await cpuPerCall(ours), theirs };
}

/**
 * CPU of a booking by the client, against the same request by fetch with its headers, JSON and time limit. Fails over
 * 1.05.
 */
export async function client(): Promise<boolean> {
  const server = fork(import.meta.filename, { execArgv: process.execArgv });
  try {
    const [port] = (await once(server, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const key = `fsk_test_${'k'.repeat(50)}`;
    const fs = new (fieldServiceOf(operationTable(exactDocument())))({ url, key });
    const body = { ContactId: 1, ServiceId: 1, Slots: [{ DateTime: '2035-03-06T09:00', ServiceAgentId: 1 }] };
    const ours = () => fs.call(OPERATION, body);
    const plain = async () => {
      const response = await fetch(`${url}/api/${OPERATION}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(35_000),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return (await response.json()) as object;
    };
    if (!isDeepStrictEqual(await ours(), await plain())) throw new Error('The client answers something else.');
    const pairs: Pair[] = [];
    for (let round = 0; round < WARM_UP; round++) await measurePair(ours, plain);
    for (let round = 0; round < ROUNDS; round++) pairs.push(await measurePair(ours, plain));
    const ratio = pairedRatio(pairs);
    const fetched = median(pairs.map(({ theirs }) => theirs));
    printTable(
      ['a booking', 'CPU µs', 'ratio (≤ 1.05)'],
      [
        ['fetch', fetched, 1],
        ['client', fetched * ratio, ratio],
      ],
    );
    return ratio <= MAX_RATIO;
  } finally {
    server.kill();
  }
}

if (process.send) serve();
