import { type NativeAttributeValue, marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBatch } from '../../../lib/store/dynamodb/bulk-read.ts';
import { anyCharacter } from '../../support/random/characters.ts';

/** Quotes, backslashes, characters of two units, and what looks like the answer itself. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', '\\', '"', '\\"', '{"S":"x"}', '"Responses":{"table":[{', 'Müller, "rear"\r\n', '😀'),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.nat(),
);
/** V8's JSON.parse, with which this is compared, reads `"\\""` as a backslash behind an object with that name. */
const isName = (each: string): boolean => each !== '__proto__' && !each.includes('\\');
const { value } = fc.letrec<{ value: NativeAttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number.filter((one) => one === 0 || (Math.abs(one) > 1e-100 && Math.abs(one) < 1e100)),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ minLength: 1, maxLength: 5 }),
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }).map((texts) => new Set(texts)),
    fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 }).map((numbers) => new Set(numbers)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string().filter(isName), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const name = fc.oneof(fc.constantFrom('Id', 'Name', 'Names', 'PK', '"', '😀'), fc.string()).filter(isName);
const item = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
const items = fc.array(item, { maxLength: 4 });

const marshalled = (all: readonly Record<string, NativeAttributeValue>[]) =>
  all.map((each) => marshall(each, { allowImpreciseNumbers: true }));

/** Binary values as DynamoDB sends them. */
const toJson = (answer: object, space?: number): string =>
  JSON.stringify(
    answer,
    (_, each: unknown) => (each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each),
    space,
  );

test('an answer of DynamoDB is read as the SDK would, whatever its texts and the order of its parts', () => {
  fc.assert(
    fc.property(items, items, fc.boolean(), fc.constantFrom(undefined, 1), (found, left, isLast, space) => {
      const parts = {
        ConsumedCapacity: [{ TableName: 'table', CapacityUnits: 1.5 }],
        Responses: { 'the.table-1': marshalled(found) },
      };
      const UnprocessedKeys = left.length ? { 'the.table-1': { Keys: marshalled(left) } } : {};
      const answer = isLast ? { UnprocessedKeys, ...parts } : { ...parts, UnprocessedKeys };
      expect(decodeBatch(toJson(answer, space))).toEqual({
        ConsumedCapacity: parts.ConsumedCapacity,
        Responses: { 'the.table-1': found },
        UnprocessedKeys: left.length ? { 'the.table-1': { Keys: left } } : {},
      });
    }),
  );
});

test('a text with escapes is read in an item that has other attributes than the one before', () => {
  const found = [
    { Id: 1, Notes: 'Gate code: 12', City: 'Springfield', Zip: '62701' },
    { Id: 2, Notes: 'Ring twice\nDog \\ cat', City: 'Chatham' },
  ];
  const answer = toJson({ Responses: { table: marshalled(found) } });
  expect(decodeBatch(answer).Responses).toEqual({ table: found });
});

test('an answer that ends early is an error, and none of its items are taken', () => {
  const whole = toJson({ Responses: { table: marshalled([{ Id: 1, Name: 'A "B" \\ C', Tags: [{ Id: 2 }] }]) } });
  for (let end = 0; end < whole.length; end++) expect(() => decodeBatch(whole.slice(0, end)), `${end}`).toThrow();
  expect(decodeBatch('{}')).toEqual({ ConsumedCapacity: [], Responses: {}, UnprocessedKeys: {} });
});
