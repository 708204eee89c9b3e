import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canary } from '../../lib/api/canary.ts';
import { CANARY_ACCOUNT, type CanaryKeys, writeCanaryKeys } from '../../lib/store/administration/canary.ts';
import { findAccount } from '../../lib/store/accounts/accounts.ts';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { startHttpServer } from '../../infra/local/http-server.ts';
import { table } from '../../infra/table.ts';
import { type FaultyEngine, startFaultyEngine } from '../support/faults/faulty-engine.ts';
import { createKey, formatKey, listKeys } from '../../lib/store/requests/api-keys.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';
import { type TableWriter } from '../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { checkApi } from '../../lib/workflows/canary/check-api.ts';
import { type Key, layout } from '../../lib/store/keys.ts';
import { call, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Between this process and the table. */
let line: FaultyEngine;
beforeAll(async () => {
  const { TableName, DynamoDBEndpoint, BaseUrl } = testStack();
  testTable();
  line = await startFaultyEngine(DynamoDBEndpoint);
  Object.assign(process.env, { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: line.endpoint, BASE_URL: BaseUrl });
  process.env['LOG_LEVEL'] = 'info';
});
afterAll(() => line.stop());

/** A run of a container's handler, and the line that it logs. */
async function runOf(handler: ReturnType<typeof canary>, milliseconds = 30_000) {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  const ended = handler({}, { getRemainingTimeInMillis: () => milliseconds + 5_000 });
  const error = await ended.then(() => undefined).catch((thrown: Error) => thrown);
  write.mockRestore();
  const line = lines.find((written) => written.includes('canary')) ?? '{}';
  return { error, line: JSON.parse(line) as Record<string, unknown> };
}

/** The API of a stage whose event worker stands still: every queue is empty. */
async function startWithoutWorker(): Promise<{ baseUrl: string; close: () => void }> {
  const server = createServer((request, response) => {
    const isFetch = request.url?.endsWith('/fetch');
    const body = isFetch ? { Events: [] } : { Matches: [{ Id: 1 }] };
    setTimeout(() => response.end(JSON.stringify(body)), isFetch ? 60 : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** One key for all calls. */
const both = (key: string): CanaryKeys => ({ ofAccount: key, ofOrganization: key });

/** The partition of the item that a change writes or checks. */
function partitionsOf(change: Change): string[] {
  const item = Object.values(change).find((value): value is Key => typeof value === 'object' && 'PK' in value);
  return item ? [item.PK] : [];
}

describe('the canary', () => {
  test('makes a change by HTTP with a key of its own account, finds its event, and reports how long it took', async () => {
    const keys: CanaryKeys[] = [];
    const writeKeys: typeof writeCanaryKeys = async (...parameters) => {
      keys.push(await writeCanaryKeys(...parameters));
      return keys.at(-1) ?? both('');
    };
    const handler = canary({ writeKeys, check: checkApi });
    for (let run = 0; run < 2; run++) {
      const { error, line } = await runOf(handler);
      expect(error).toBeUndefined();
      expect(line).toMatchObject({ Worker: 'canary', Level: 'info', CanaryMilliseconds: expect.any(Number) as number });
      expect(JSON.stringify(line['_aws'])).toContain('"Name":"CanaryMilliseconds"');
    }
    expect(keys).toHaveLength(1);
    const [{ ofAccount: key } = both('')] = keys;
    const found = await call('contacts/locate', { EmailSearch: 'canary@example.com' }, { key });
    expect(found.body['Matches']).toHaveLength(1);
    expect(await findAccount(accountStore(testTable(), CANARY_ACCOUNT))).toMatchObject({ Name: 'Canary' });
  });

  test('queries every index of the table, and fails where one refuses it', async () => {
    const { accountId } = await testAccount();
    const options = { account: accountId, role: 'Admin', name: 'canary', hasEvent: false, now: new Date() } as const;
    const ofAccount = (await createKey(accountStore(testTable(), options.account), options)).key;
    const ofOrganization = (
      await createKey(accountStore(testTable(), options.account), { ...options, organizationId: 1 })
    ).key;
    const queried = new Set<string>();
    let refused = '';
    line.fail((operation, body) => {
      const { IndexName: index } = JSON.parse(body) as { IndexName?: string };
      if (operation !== 'Query' || index === undefined) return undefined;
      queried.add(index);
      return index === refused ? 'errorBefore' : undefined;
    });
    const server = await startHttpServer({ port: 0, groups, fallback });
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const check = () =>
      checkApi({ baseUrl, keys: { ofAccount, ofOrganization }, deadline: Date.now() + 20_000, pauseMilliseconds: 100 });
    await check();
    expect([...queried].sort()).toEqual(table.indexes.map(({ name }) => name));
    for (const { name } of table.indexes) {
      refused = name;
      await expect(check(), name).rejects.toThrow(/^\w+\/query returned 503 to the canary: /);
    }
    line.fail(undefined);
    await server.stop();
  });

  test('has keys that begin with "canary", work for a day, and then leave the table', async () => {
    const now = new Date();
    const { ofAccount, ofOrganization } = await writeCanaryKeys(testTable(), now);
    for (const [key, OrganizationId] of [
      [ofAccount, null],
      [ofOrganization, 1],
    ] as const) {
      expect(key).toMatch(/^fsk_live_canary\w{6}/);
      const publicPart = key.slice(9, 21);
      const record = (await listKeys(accountStore(testTable(), CANARY_ACCOUNT))).find(
        ({ Public }) => Public === publicPart,
      );
      expect(record).toMatchObject({ Role: 'Admin', OrganizationId, ExpiresAt: now.getTime() + 86_400_000 });
      expect(record).not.toHaveProperty('TTL');
      for (const Key of [
        layout.apiKey.key({ public: publicPart }),
        layout.accountKey.key({ account: CANARY_ACCOUNT, public: publicPart }),
      ]) {
        const command = new GetCommand({ TableName: testStack().TableName, Key });
        const { Item } = await documentClient(testStack().DynamoDBEndpoint).send(command);
        expect(Item?.['TTL']).toBe(Math.floor(now.getTime() / 1000) + 2 * 86_400);
      }
    }
  });

  test('writes nothing but its own account and its own keys, as its role allows', async () => {
    const partitions: string[] = [];
    const table = {
      get: async ({ PK }: Key) => void partitions.push(PK),
      async update({ update: { PK } }: { update: Key }) {
        partitions.push(PK);
        return { Last: 1 };
      },
      async commit(changes: readonly Change[]) {
        for (const change of changes) partitions.push(...partitionsOf(change));
      },
    } as unknown as TableWriter;
    await writeCanaryKeys(table, new Date());
    expect(partitions).toContain('A#canary');
    expect(partitions.filter((partition) => !/^(A#canary(#.+)?|KEY#canary\w{6})$/.test(partition))).toEqual([]);
  });

  test('fails, without the metric, where the event does not arrive in time', async () => {
    const { baseUrl, close } = await startWithoutWorker();
    const check: typeof checkApi = (options) => checkApi({ ...options, baseUrl, pauseMilliseconds: 300 });
    const { error, line } = await runOf(canary({ writeKeys: async () => both('a-key'), check }), 2_000);
    close();
    expect(error?.message).toBe('The event of the change of the canary did not arrive in time.');
    expect(line).toMatchObject({ Level: 'error', Worker: 'canary' });
    expect(line).not.toHaveProperty('_aws');
  });

  test('names the event, whenever the time is over', async () => {
    const { baseUrl, close } = await startWithoutWorker();
    const times = Array.from({ length: 20 }, (_, index) => 1_000 + index * 20);
    const messages = await Promise.all(
      times.map((milliseconds) =>
        checkApi({ baseUrl, keys: both(''), deadline: Date.now() + milliseconds, pauseMilliseconds: 300 }).catch(
          ({ message }: Error) => message,
        ),
      ),
    );
    close();
    expect(new Set(messages)).toEqual(new Set(['The event of the change of the canary did not arrive in time.']));
  });

  test('fails where a call fails, and takes a new key the next time', async () => {
    const { key } = await testAccount();
    const keys = [formatKey('a'.repeat(12), 'b'.repeat(32), { isTest: true }), key];
    const handler = canary({ writeKeys: async () => both(keys.shift() ?? ''), check: checkApi });
    expect((await runOf(handler)).error?.message).toMatch(/^contacts\/addupdate returned 401 to the canary: /);
    expect((await runOf(handler)).error).toBeUndefined();
  });
});
