import { rm } from 'node:fs/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import type { Around } from '../../infra/local/stream-pump.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { type Send, SteadyCaller, expectEvents, expectKept } from '../support/faults/steady-caller.ts';
import { seeded, shuffledAcrossItems, withDuplicates } from '../support/stream.ts';
import { accountStore } from '../../lib/store/store.ts';
import { makeStackFolder } from '../support/stack/stack-folder.ts';

let folder: string;
let stack: Stack;
let accountId: string;
let key: string;

beforeAll(async () => {
  process.env['LOG_LEVEL'] = 'silent';
  folder = await makeStackFolder();
  stack = await startStack({ folder, port: 0, quiet: true, retryMilliseconds: 1 });
  const now = new Date();
  ({ account: accountId } = await writeAccount(openTable(), { name: 'Test', now }));
  ({ key } = await createKey(accountStore(openTable(), accountId), {
    name: 'test',
    hasEvent: false,
    role: 'Owner',
    rate: 100_000,
    inFlight: 10_000,
    now,
  }));
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true });
});

const send: Send = async (operation, body, idempotencyKey) => {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
  const response = await fetch(`${stack.baseUrl}/api/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** What befalls batches on their way to the worker, and how often it did. */
function unruly(seed: number) {
  const random = seeded(seed);
  const happened = { batches: 0, duplicates: 0, moved: 0, killed: 0 };
  const around: Around = async (event, next) => {
    const Records = withDuplicates(shuffledAcrossItems(event.Records, random), 0.2, random);
    happened.batches++;
    happened.duplicates += Records.length - event.Records.length;
    happened.moved += event.Records.filter((record, index) => record !== Records[index]).length;
    const answer = await next({ Records });
    if (random() < 0.2) {
      happened.killed++;
      throw new Error('killed between its work and the checkpoint');
    }
    const failed = answer?.batchItemFailures[0]?.itemIdentifier;
    if (failed === undefined) return answer;
    // The stream goes on from a place in its own order: the first record that was not handled before the failure in
    // ours.
    const handled = new Set(
      Records.slice(
        0,
        Records.findIndex((record) => sequenceOf(record) === failed),
      ).map(sequenceOf),
    );
    const first = event.Records.findIndex((record) => !handled.has(sequenceOf(record)));
    if (first === 0 && event.Records.length > 1) throw new Error('the first record was not handled');
    return { batchItemFailures: [{ itemIdentifier: sequenceOf(event.Records[first] as DynamoDBRecord) }] };
  };
  return { around, happened };
}

/** A contact of which no event can be made, written past all our code. */
const poison = (id: number) =>
  openTable().commit([
    { put: { ...layout.contact.key({ account: accountId, id }), E: 'Contact', Id: id, OrganizationId: 1, V: 1 } },
  ]);

const SEED = Number(process.env['FAULT_SEED'] ?? 21);

test(`duplicates, another order, a poison record and a killed worker: each change is one event, and the poison is kept whole (seed ${SEED})`, async () => {
  const { around, happened } = unruly(SEED);
  const poisoned = new Set<string>();
  stack.streams['event-queue'].wrap((event, next) => {
    for (const record of event.Records)
      if (record.dynamodb?.Keys?.['PK']?.S === layout.contact.of({ account: accountId, id: 900_000 }))
        poisoned.add(sequenceOf(record));
    return around(event, next);
  });
  const callers = ['elm', 'fir', 'ginkgo', 'hazel'].map((name) => new SteadyCaller(name, send));
  const workUntil = (count: number) =>
    Promise.all(callers.map((caller) => caller.work(() => caller.contacts.size >= count)));

  // What waits in the stream comes in whole batches, what follows in small ones.
  await stack.streams['event-queue'].pause();
  await workUntil(4);
  await poison(900_000);
  stack.streams['event-queue'].resume();
  const more = ['ivy', 'juniper', 'kapok'].map((name) => new SteadyCaller(name, send));
  const hasAllHappened = () => Object.values(happened).every((count) => count > 0);
  await Promise.all(more.map((caller) => caller.work(() => caller.contacts.size >= 4 && hasAllHappened())));
  await stack.drain();

  await expectKept(send, [...callers, ...more]);
  await expectEvents(send, [...callers, ...more]);
  const parked = (await stack.deadLetters()).map((text) => (JSON.parse(text) as { Record: DynamoDBRecord }).Record);
  expect(parked.map(sequenceOf)).toEqual([...poisoned]);
  expect(parked[0]?.dynamodb?.NewImage?.['Id']).toEqual({ N: '900000' });
  expect(poisoned.size).toBe(1);
});
