import { type NativeAttributeValue, marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attributes, decodeItem, encodeItem } from '../../../lib/store/dynamodb/attribute-values.ts';
import { anyCharacter } from '../../support/random/characters.ts';

/** Of `__proto__` the SDK keeps nothing. */
const text = fc.string({ unit: anyCharacter, maxLength: 10 }).filter((one) => one !== '__proto__');
const { value } = fc.letrec<{ value: NativeAttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.maxSafeInteger(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).filter((one) => !Number.isInteger(one)),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.uint8Array({ minLength: 1, maxLength: 5 }),
    fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((texts) => new Set(texts)),
    fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 }).map((numbers) => new Set(numbers)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const item = fc.dictionary(text, value, { maxKeys: 5, noNullPrototype: true });

/** Binary values in base64, as on the wire; values of the SDK have bytes. */
const onTheWire = (attributes: unknown): unknown =>
  JSON.parse(
    JSON.stringify(attributes, (name, each: unknown) =>
      name === 'B' && each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each,
    ),
  );

test('an item is written as the SDK writes it, and read as it was', () => {
  fc.assert(
    fc.property(item, (each) => {
      const expected = marshall(each, { removeUndefinedValues: true });
      const written = JSON.parse(JSON.stringify(encodeItem(each))) as Attributes;
      expect(written).toEqual(onTheWire(expected));
      expect(decodeItem(written)).toEqual(unmarshall(expected));
    }),
  );
});

test('binary values are bytes, whose JSON is not that of a Buffer', () => {
  const read = decodeItem(encodeItem({ Bytes: Buffer.from('abc') }))['Bytes'];
  expect(Object.getPrototypeOf(read)).toBe(Uint8Array.prototype);
  expect(read).toEqual(new Uint8Array([97, 98, 99]));
});

test('a field __proto__, which a custom name from outside may be, is a field like any other', () => {
  const hostile = JSON.parse('{"__proto__":{"isAdmin":true},"Id":1}') as Record<string, unknown>;
  const read = decodeItem(JSON.parse(JSON.stringify(encodeItem(hostile))) as Attributes);
  expect(Object.keys(read)).toEqual(['__proto__', 'Id']);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(read['isAdmin']).toBeUndefined();
});

test.each([NaN, Infinity, 2 ** 53, new Date(0), new Set(), new Set([1, 'a']), 1n, () => 1])(
  'the value %s is refused: it would be stored as another one, or not at all',
  (wrong) => {
    expect(() => encodeItem({ Field: wrong })).toThrow();
    expect(() => encodeItem({ Field: [{ Inner: wrong }] })).toThrow();
  },
);
