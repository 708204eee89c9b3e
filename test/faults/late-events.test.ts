import { rm } from 'node:fs/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import type { Around } from '../../infra/local/stream-pump.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
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
    now,
  }));
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true });
});

async function send(operation: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${stack.baseUrl}/api/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  expect([operation, answer['ResultCode'], answer['Message']]).toMatchObject([operation, 0, expect.any(String)]);
  return answer;
}

async function createContact(Name: string): Promise<number> {
  const { Matches } = await send('contacts/addupdate', { Name });
  return (Matches as { Id: number }[])[0]?.Id ?? 0;
}

/** Holds the changes of some records back until they are released, and lets all others pass. */
function holdBack(isHeld: (record: DynamoDBRecord) => boolean) {
  const held: DynamoDBRecord[] = [];
  let deliver: Parameters<Around>[1] | undefined;
  const around: Around = (event, next) => {
    deliver = next;
    held.push(...event.Records.filter(isHeld));
    const others = event.Records.filter((record) => !isHeld(record));
    return others.length ? next({ Records: others }) : Promise.resolve({ batchItemFailures: [] });
  };
  return { around, held, release: () => deliver?.({ Records: held }) };
}

test('an erasure with mentions waits for the events of records that mention the person, and erases them too', async () => {
  const neighbour = await createContact('Nora Nachbar');
  const person = await createContact('Ruprecht Zwiebelfisch');
  await stack.drain();
  const isOfTask = ({ dynamodb }: DynamoDBRecord) =>
    dynamodb?.Keys?.['PK']?.S?.startsWith(`A#${accountId}#TASK#`) === true;
  const { around, held, release } = holdBack(isOfTask);
  stack.streams['event-queue'].wrap(around);
  await send('task/create', { ContactId: neighbour, Description: 'Ask Ruprecht Zwiebelfisch' });

  let released = false;
  const { unfinished } = await eraseContact(accountStore(openTable(), accountId), {
    contactId: person,
    files: undefined,
    discardedPrefix: 'discarded/',
    settleMilliseconds: 0,
    redactMentions: true,
    onStep: (step) => {
      if (step === 'events')
        setTimeout(() => {
          released = true;
          void release();
        }, 1_500);
    },
  });

  expect(unfinished).toEqual([]);
  expect([released, held.length]).toEqual([true, 2]);
  const { Events } = await send('datasubscriber/fetch', { EventCount: 100 });
  const kinds = (Events as { Payload: { Kind: string } }[]).map(({ Payload }) => Payload.Kind);
  expect(kinds).toEqual(expect.arrayContaining(['task.created', 'task.updated']));
  expect(JSON.stringify(Events)).not.toContain('wiebelfisch');
  expect(JSON.stringify(Events)).toContain('Ask [erased]');
});
