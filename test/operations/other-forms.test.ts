import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { countOne, exampleAccount } from '../support/documents/examples.ts';
import type { TestAccount } from '../support/stack/stack.ts';

/** Examples as typed clients, forms and other programs send them. */

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);

let account: TestAccount;

beforeAll(async () => {
  account = await exampleAccount();
});
// An example names no organization where the account has only one.
afterEach(() => countOne(account));

const expectSuccess = async (...call: Parameters<TestAccount['call']>) => {
  const answer = await account.call(...call);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"ResultCode":0')]);
  return answer;
};

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Fields = Record<string, Json>;

/** A value with each leaf and each object changed. */
function mapValue(value: Json, leaf: (value: Json) => Json, fields: (fields: Fields) => Fields = (same) => same): Json {
  if (Array.isArray(value)) return value.map((each) => mapValue(each, leaf, fields));
  if (typeof value !== 'object' || value === null) return leaf(value);
  const entries = Object.entries(value).map(([name, each]) => [name, mapValue(each, leaf, fields)] as const);
  return fields(Object.fromEntries(entries));
}

const mapExample = (operation: Operation, ...how: [(value: Json) => Json, ((fields: Fields) => Fields)?]) =>
  mapValue(operation.example as Fields, ...how) as Fields;

const toText = (value: Json): Json => ({ true: ' Yes', false: 'FALSE' })[String(value)] ?? value;
const asTexts = (value: Json): Json =>
  typeof value === 'number' ? ` ${value}${'.0'.repeat(Number(Number.isInteger(value)))} ` : toText(value);
const reversed = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).reverse());

describe.each(operations)('%s', (name, operation) => {
  test('takes texts where it wants numbers and flags', async () => {
    await expectSuccess(name, mapExample(operation, asTexts));
  });

  test('answers a repeat with an Idempotency-Key alike, whatever the order, blanks and texts of its body', async () => {
    const headers = { 'idempotency-key': `forms-${name}` };
    const first = await expectSuccess(name, operation.example, { headers });
    const other = JSON.stringify(mapExample(operation, asTexts, reversed), undefined, 3);
    const again = await expectSuccess(name, other, { headers });
    const shown = (operation.shownOnce ?? []).map((field) => [field, first.body[field]]);
    const repeats = operation.access !== 'read';
    expect(repeats ? { ...again.body, ...Object.fromEntries(shown) } : first.body).toEqual(first.body);
  });
});
