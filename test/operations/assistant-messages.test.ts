import { beforeAll, describe, expect, test } from 'vitest';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testStack } from '../support/stack/stack.ts';

/* What models and hand-made clients send, as it is: a client of the SDK refuses to send most of it. */

let company: Bookable;
let key: string;
beforeAll(async () => {
  company = await bookable();
  key = await company.newKey({ assistant: 'write' });
});

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: true };
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(message: string | object): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
  };
  const body = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  const answer = await fetch(`${testStack().BaseUrl}/mcp`, { method: 'POST', headers, body });
  return (await answer.json()) as Answer;
}

const call = (params: unknown) => send({ method: 'tools/call', params });
const textOf = ({ result }: Answer) => result?.content[0]?.text ?? '';

test('arguments may be their JSON text, and so may an object among them; null is not given', async () => {
  const byName = { name: 'garcia', phone: null };
  for (const args of [byName, JSON.stringify(byName)])
    expect(textOf(await call({ name: 'find_contact', arguments: args }))).toMatch(/^1 client found\./);
  const times = { contact_id: company.contact, service: 'Lawn care', from: null, days: null, agent_id: null };
  expect(textOf(await call({ name: 'find_times', arguments: times }))).toContain('Each costs 50.00.');
  const request = JSON.stringify({ NameSearch: 'garcia' });
  const args = { operation: 'contacts/locate', request, confirm: null };
  expect(textOf(await call({ name: 'call_operation', arguments: args }))).toMatch(/^Done\.\n<data>.*José García/);
  expect(textOf(await call({ name: 'list_tasks', arguments: null }))).toBe('No open task.');
});

describe('what is wrong with a call of a tool is an answer of it, in a sentence', () => {
  test.each([
    [
      'arguments that are no JSON',
      { name: 'find_contact', arguments: 'name: garcia' },
      /^Send the arguments as a JSON/,
    ],
    ['arguments that are a list', { name: 'find_contact', arguments: [1] }, /^Send the arguments as a JSON object\.$/],
    ['arguments that are a number', { name: 'find_contact', arguments: 5 }, /^Send the arguments as a JSON object\.$/],
    [
      'null for what is required',
      { name: 'quote', arguments: { contact_id: null, service: 'x' } },
      /contact_id is req/,
    ],
    [
      'a request that is no JSON',
      { name: 'call_operation', arguments: { operation: 'task/query', request: 'x' } },
      /type/,
    ],
    ['no name', { arguments: {} }, /^There is no such tool\. The tools are below\./],
    ['a name that is a number', { name: 5 }, /^There is no such tool\./],
    ['no params', undefined, /^There is no such tool\./],
    ['params that are a list', [1], /^There is no such tool\./],
    [
      'the name of what objects inherit',
      { name: 'list_tasks', arguments: { constructor: 1 } },
      /constructor is no arg/,
    ],
  ])('%s', async (_, params, said) => {
    const answer = await call(params);
    expect([answer.error, answer.result?.isError]).toEqual([undefined, true]);
    expect(textOf(answer)).toMatch(said);
  });
});

test('a call that asks for a task is done at once, for there are no tasks', async () => {
  for (const task of [{ ttl: 5 }, 5])
    expect(textOf(await call({ name: 'find_contact', arguments: { name: 'garcia' }, task }))).toMatch(/^1 client/);
});

test.each([
  ['initialize', undefined],
  ['initialize', { protocolVersion: 5 }],
  ['tools/list', 5],
  ['tools/list', { cursor: 5 }],
])('a message whose params are not those of %s gets a sentence, and no dump: %o', async (method, params) => {
  const { error } = await send({ method, params });
  expect(error).toMatchObject({ code: expect.any(Number) as number, message: expect.any(String) as string });
  expect(error?.message).toMatch(/^[\w .:-]{10,80}$/);
});

test.each(['', 'x', '5', 'null', '"x"', '{}', '{"jsonrpc":"2.0","method":5,"id":1}'])(
  'a body that is no message gets a sentence: %s',
  async (body) => {
    const { error } = await send(body);
    expect(error?.message).toMatch(/^[\w .:-]{10,80}$/);
  },
);
