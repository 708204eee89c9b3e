import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { type StackProcess, enginesIn, processesWith, running, until } from '../support/stack/process.ts';
import { type Send, SteadyCaller, expectEvents, expectKept } from '../support/faults/steady-caller.ts';
import { accountStore } from '../../lib/store/store.ts';

/** How often the stack is killed, and the engine once more, which is restarted five times in ten seconds at most. */
const KILLS = Number(process.env['KILLS'] ?? 1);
const TIMEOUT = 60_000 + KILLS * 60_000;
/** Acknowledged calls between two kills. */
const CALLS = 25;

let folder: string;
let stack: StackProcess;
let key: string;

const start = () => running({ FS_DATA: folder });

/** Calls the stack there is at the moment. */
const send: Send = async (operation, body, idempotencyKey) => {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
  const response = await fetch(`${stack.local.BaseUrl}/api/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kills-'));
  stack = await start();
  const { TableName, DynamoDBEndpoint: endpoint, AccountId: accountId, Region } = stack.local;
  useTestCredentials(Region);
  const table = openTable({ tableName: TableName, endpoint });
  ({ key } = await createKey(accountStore(table, accountId), {
    name: 'test',
    hasEvent: false,
    role: 'Owner',
    rate: 100_000,
    inFlight: 10_000,
    now: new Date(),
  }));
});
afterEach(async () => {
  await stack.end('SIGKILL');
  await until(() => processesWith(folder).length === 0);
  rmSync(folder, { recursive: true });
});

/** Has four callers work while `disturb` happens, and a little longer. */
async function underLoad(disturb: (acknowledged: () => number) => Promise<void>): Promise<SteadyCaller[]> {
  const callers = ['ash', 'birch', 'cedar', 'dogwood'].map((name) => new SteadyCaller(name, send));
  const acknowledged = () => callers.reduce((sum, caller) => sum + caller.acknowledged, 0);
  let stopped = false;
  const work = Promise.all(callers.map((caller) => caller.work(() => stopped)));
  await Promise.race([work, disturb(acknowledged)]);
  stopped = true;
  await work;
  return callers;
}

/** So many more calls are acknowledged. */
const more = (acknowledged: () => number, count: number) => {
  const goal = acknowledged() + count;
  return until(() => acknowledged() >= goal, 60_000);
};

const repeatsOf = (callers: readonly SteadyCaller[]) => callers.reduce((sum, { repeated }) => sum + repeated, 0);

// In `npm run prove -- random`.
test.runIf(process.env['KILLS'])(
  'the engine killed again and again under load: nothing acknowledged is lost or duplicated, and each change is one event, in order',
  async () => {
    const callers = await underLoad(async (acknowledged) => {
      for (let kill = 0; kill <= KILLS; kill++) {
        await more(acknowledged, CALLS);
        const engines = enginesIn(folder);
        expect(engines).toHaveLength(1);
        for (const pid of engines) process.kill(pid, 'SIGKILL');
      }
      await more(acknowledged, CALLS);
    });
    await expectKept(send, callers);
    await expectEvents(send, callers);
    expect(enginesIn(folder)).toHaveLength(1);
  },
  TIMEOUT,
);

test(
  'the whole stack killed under load: no process stays, nothing acknowledged is lost or duplicated, and each change is one event, in order',
  async () => {
    const callers = await underLoad(async (acknowledged) => {
      for (let kill = 0; kill < KILLS; kill++) {
        await more(acknowledged, CALLS);
        await pause(kill * 37);
        await stack.end('SIGKILL');
        await until(() => processesWith(folder).length === 0);
        stack = await start();
      }
      await more(acknowledged, CALLS);
    });
    expect(repeatsOf(callers)).toBeGreaterThan(0);
    await expectKept(send, callers);
    await expectEvents(send, callers);
  },
  TIMEOUT,
);
