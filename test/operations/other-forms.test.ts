import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { groups } from '../../functions/index.ts';
import { unwrap } from '../../lib/api/http/read-values.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { countOne, exampleAccount } from '../support/documents/examples.ts';
import { sampled } from '../support/sampled.ts';
import type { TestAccount } from '../support/stack/stack.ts';

/** Examples as typed clients, forms and other programs send them. */

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);

let account: TestAccount;

beforeAll(async () => {
  account = await exampleAccount();
});

/** An example names no organization where the account has only one: after a test, only one counts. */
function countOneOrganization({ group }: Operation): void {
  if (group === 'organizations') afterEach(() => countOne(account));
}

/** The forms of which an operation gets one: the next operation gets another one. */
const formsFor = <Form>(forms: Readonly<Record<string, Form>>, name: string) =>
  sampled(
    Object.entries(forms),
    operations.findIndex(([each]) => each === name),
    Object.keys(forms).length,
  );

const expectSuccess = async (...call: Parameters<TestAccount['call']>) => {
  const answer = await account.call(...call);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"ResultCode":0')]);
  return answer;
};

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Fields = Record<string, Json>;
type Schema = z.core.$ZodType;

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

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/;
const inForm =
  (form: (...parts: number[]) => string, dateForm: (...parts: number[]) => string) =>
  (value: Json): Json => {
    const parts = DATE.exec(String(value))?.slice(1).map(Number) ?? [];
    return parts.length ? (Number.isNaN(parts[3]) ? dateForm : form)(...parts) : value;
  };
const two = (number = 0) => String(number).padStart(2, '0');
const half = (hour = 0) => `${hour % 12 || 12}:`;
const dateForms = {
  '2022-5-1': inForm(
    (y, m, d, h, n) => `${y}-${m}-${d}T${h}:${two(n)}`,
    (y, m, d) => ` ${y}-${m}-${d} `,
  ),
  '3/8/2026 9:05:00 AM': inForm(
    (y, m, d, h, n) => `${m}/${d}/${y} ${half(h)}${two(n)}:00\u202f${Number(h) < 12 ? 'AM' : 'PM'}`,
    (y, m, d) => `${m}/${d}/${y}`,
  ),
  '03/08/2026 9:05 AM': inForm(
    (y, m, d, h, n) => ` ${two(m)}/${two(d)}/${y}  ${half(h)}${two(n)} ${Number(h) < 12 ? 'am' : 'pm'} `,
    (y, m, d) => `${two(m)}/${two(d)}/${y}\n`,
  ),
};
const dated = operations.filter(([, { example }]) => /"\d{4}-\d\d-\d\d/.test(JSON.stringify(example)));

/** A Number names the invoice that was imported with it, whose date was written otherwise. */
const withoutNumber = ({ Invoice, ...request }: Fields): Fields =>
  Invoice ? { ...request, Invoice: { ...(Invoice as Fields), Number: '' } } : request;

describe.each(dated)('%s takes dates and moments written as', (name, operation) => {
  test.each(formsFor(dateForms, name))('%s', async (_title, form) => {
    await expectSuccess(name, withoutNumber(mapExample(operation, form)));
  });
});

describe.each(sampled(operations, 2))('%s', (name, operation) => {
  countOneOrganization(operation);

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

/** What typed clients send in a field that nobody set; a Quantity of 0 is refused, as it would have no price. */
function typedEmpty(of: Schema, name: string): Json {
  const schema = unwrap(of);
  if (name === 'Quantity') return 1;
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord ? null : '';
}

/** A request with every field that its schema has in each of its objects. */
function filled(of: Schema, value: Json, empty: (of: Schema, name: string) => Json): Json {
  const schema = unwrap(of);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => filled(schema.element, each, empty));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape = schema.shape as Record<string, Schema>;
  const names = Object.keys(shape).filter((name) => name !== 'ApiKey');
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in value ? filled(shape[name] as Schema, value[name] as Json, empty) : empty(shape[name] as Schema, name),
    ]),
  );
}

/** An address that an update with empty fields clears, and where a radius starts. */
const giveAddress = () =>
  account.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '23230' }, Radius: 25 });

const empties = {
  'empty values of their types': typedEmpty,
  'empty texts': () => '',
  null: () => null,
} satisfies Record<string, (of: Schema, name: string) => Json>;

describe.each(operations)('%s takes its example with all other fields as', (name, operation) => {
  countOneOrganization(operation);
  afterEach(async () => void (name === 'organizations/update' && (await giveAddress())));

  test.each(formsFor(empties, name))('%s', async (_title, empty) => {
    // With the number of an earlier booking or invoice it would be another request than that one.
    const { CallCenterTransactionId: _, ...example } = operation.example as Fields;
    const slot = { DateTime: `2035-04-${String(3 + Object.values(empties).indexOf(empty)).padStart(2, '0')}T09:00` };
    const slots = name === 'appointments/book' ? { Slots: [{ ...(example['Slots'] as Fields[])[0], ...slot }] } : {};
    await expectSuccess(name, filled(operation.requestSchema(), { ...withoutNumber(example), ...slots }, empty));
  });
});
