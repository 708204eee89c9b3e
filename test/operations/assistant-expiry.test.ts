import type { Context } from 'aws-lambda';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { handler } from '../../functions/mcp/index.ts';
import { type Bookable, bookable, slotsIn } from '../support/scheduling.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { apiEvent } from '../support/stack/invoke.ts';
import { testStack } from '../support/stack/stack.ts';

/* The handler runs in this process, whose clock the test sets. */
let company: Bookable;
let key: string;
beforeAll(async () => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  const AWS_ENDPOINT_URL_DYNAMODB = DynamoDBEndpoint;
  Object.assign(process.env, { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB, LOG_LEVEL: 'silent' });
  company = await bookable();
  key = await company.newKey({ assistant: 'write' });
});
afterEach(() => vi.useRealTimers());

const NOON = Date.UTC(2034, 0, 2, 12);
const MINUTES = 60_000;

function sendAt(moment: number, message: object) {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(moment);
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const event = apiEvent('mcp/call', { jsonrpc: '2.0', id: 1, ...message }, { key, headers });
  return handler({ ...event, rawPath: '/mcp' }, {} as Context);
}

async function bookAt(moment: number, args: object): Promise<string> {
  const params = { name: 'book_visit', arguments: args };
  const { body = '' } = await sendAt(moment, { method: 'tools/call', params });
  return (JSON.parse(body) as { result: { content: [{ text: string }] } }).result.content[0].text;
}

test('a preview can be confirmed for ten minutes, and to the second no longer', async () => {
  const args = { contact_id: company.contact, service: 'Lawn care', agent_id: company.agents['Ann'] };
  const [early, late] = [
    { ...args, start: '2035-03-06T10:00' },
    { ...args, start: '2035-03-07T10:00' },
  ];
  const tokenOf = (text: string) => /confirm (c-[\w-]+)\./.exec(text)?.[1];
  const confirm = [tokenOf(await bookAt(NOON, early)), tokenOf(await bookAt(NOON, late))] as const;
  expect(await bookAt(NOON + 10 * MINUTES - 1, { ...early, confirm: confirm[0] })).toMatch(/^Booked: visit /);
  expect(await bookAt(NOON + 10 * MINUTES, { ...late, confirm: confirm[1] })).toBe(
    'The preview is older than 10 minutes. Preview again without the confirm token.',
  );
  vi.useRealTimers();
  const visits = slotsIn(await company.call('appointments/find', { ContactId: company.contact }));
  expect(visits.map(({ DateTime }) => DateTime.slice(0, 10))).toEqual(['2035-03-06']);
});

test('CPU is charged when the work is done: five tokens for a second, besides the one of the call', async () => {
  const leftAfter = async () => Number((await sendAt(NOON, { method: 'ping' })).headers?.['RateLimit-Remaining']);
  await leftAfter();
  const cpu = vi.spyOn(process, 'cpuUsage');
  cpu.mockReturnValue({ user: 1e12, system: 0 });
  const before = await leftAfter();
  // When the work begins, and when it is done.
  cpu.mockReturnValueOnce({ user: 1e12, system: 0 }).mockReturnValueOnce({ user: 1e12 + 1e6, system: 0 });
  expect(before - (await leftAfter())).toBe(6);
  cpu.mockRestore();
});
