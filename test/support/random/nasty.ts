import fc from 'fast-check';
import type { Operation } from '../../../lib/api/operation.ts';
import { anyCharacter } from './characters.ts';

/** Values that have broken programs: limits of number types, invalid Unicode, names of the language, invalid dates. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  'a',
  '0',
  '-1',
  0,
  -0,
  1,
  -1,
  0.1,
  1.23456,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
  '\0',
  'a\0b',
  '\uD800',
  '\uDFFF\uD800',
  'e\u0301',
  '\u202Eabc',
  '😀'.repeat(100),
  'A#B%23',
  '#',
  '%',
  '..',
  '../../etc/passwd',
  '{{7*7}}',
  "' OR 1=1 --",
  '<script>',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  'NaN',
  'x'.repeat(10_001),
  'é'.repeat(600),
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00',
  '+275760-09-13',
  '1:99',
  'PT',
  '9'.repeat(400),
  '+1 (999) 999-9999',
  '@',
  'a@b',
  `${'a'.repeat(300)}@example.com`,
  [],
  [[]],
  [null],
  [[[[]]]],
  {},
  { a: 1 },
  { toString: 1 },
  { length: 3 },
  { Id: 1 },
  { Id: {} },
  Array.from({ length: 1_001 }, () => ({})),
  Array.from({ length: 1_001 }, () => 'a'),
  Array.from({ length: 1_001 }, (_, index) => index),
];

const nasty = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...values) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
    { weight: 1, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  );

/** The paths of all inner values. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value as object);
  return entries.flatMap(([name, inner]) => [[...path, name], ...placesIn(inner, [...path, name])]);
}

/** A copy with another value at a path. */
function put(value: unknown, [step, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (index === step ? put(inner, rest, other) : inner));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: put(object[step], rest, other) };
}

/** Nearly valid bodies: the example with nasty inner values, known fields with nasty values, unknown names. */
export function nastyBodies({ request, response, example }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const known = [...Object.keys(request()), ...Object.keys(response()), 'ResultCode', 'Message'];
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'x'.repeat(300), 'constructor', 'toString', '\uD800', 'hasOwnProperty', 'a.b[0]'),
    },
  );
  const places = placesIn(example);
  const within = places.length
    ? fc
        .array(fc.tuple(fc.constantFrom(...places), nasty()), { maxLength: 2 })
        .map((changes) =>
          changes.reduce<unknown>(
            (body, [place, value]) => (reaches(body, place) ? put(body, place, value) : body),
            example,
          ),
        )
    : fc.constant<unknown>(example);
  return fc
    .tuple(within, fc.dictionary(names, nasty(), { maxKeys: 3, noNullPrototype: true }))
    .map(([body, more]) => ({ ...(body as object), ...more }));
}

const reaches = (body: unknown, place: readonly (string | number)[]): boolean =>
  place
    .slice(0, -1)
    .reduce<unknown>(
      (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined),
      body,
    ) instanceof Object;

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** JSON texts that JSON.stringify never writes. The operation has the field. */
export const nastyTexts = (field: string): readonly (readonly [description: string, body: string | Uint8Array])[] => [
  ['a number beyond every type', `{"${field}":1e999}`],
  ['a number of 400 digits', `{"${field}":${'9'.repeat(400)}}`],
  ['minus zero', `{"${field}":-0}`],
  ['a lone surrogate, escaped', `{"${field}":"\\ud800"}`],
  ['NUL, escaped', `{"${field}":"a\\u0000b"}`],
  ['NUL, raw', `{"${field}":"a\0b"}`],
  ['a byte order mark', utf8(`\uFEFF{"${field}":"x"}`)],
  ['__proto__', `{"__proto__":{"admin":true},"${field}":"x"}`],
  ['__proto__ within', `{"${field}":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}}`],
  [
    'names that every object has',
    `{${Object.getOwnPropertyNames(Object.prototype)
      .map((name) => `"${name}":1`)
      .join()}}`,
  ],
  ['a field twice', `{"${field}":"a","${field}":{"b":[1]}}`],
  ['arrays 5,000 deep', `{"${field}":${nested('[', ']', 5_000)}}`],
  ['objects 5,000 deep', `{"${field}":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ['60 deep', `{"${field}":${nested('[', ']', 60)}}`],
  ['an array of 1,001', `{"${field}":[${Array.from({ length: 1_001 }, () => '{}').join()}]}`],
  ['an array of 200,000', `{"${field}":[${'0,'.repeat(199_999)}0]}`],
  ['a name of 1 MB', `{"${'n'.repeat(1_000_000)}":1}`],
  ['a text of 200 KB', `{"${field}":"${'x'.repeat(200_000)}"}`],
];

/** Bodies that are not a JSON object in UTF-8. */
export const malformedTexts: readonly (readonly [description: string, body: string | Uint8Array])[] = [
  [
    'bytes that are not UTF-8',
    new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x7d]),
  ],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ['two byte order marks', utf8(`\uFEFF\uFEFF{}`)],
  ['arrays 5,000 deep and never closed', '['.repeat(5_000)],
  ['comments', '{/* a */}'],
  ['single quotes', `{'a':1}`],
  ['NaN', `{"a":NaN}`],
  ['a form', 'ApiKey=a&Name=b'],
  ['XML', '<?xml version="1.0"?><a/>'],
];

/** A body of unknown fields. */
export const manyFields = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":1`).join()}}`;

/** Bodies of many megabytes. */
export const largeTexts = (field: string): readonly (readonly [description: string, body: string])[] => [
  ['a text of 5 MB', `{"${field}":"${'x'.repeat(5_000_000)}"}`],
  ['7 MB', `{"${field}":"${'x'.repeat(7_000_000)}"}`],
  ['11 MB', `{"${field}":"${'x'.repeat(11_000_000)}"}`],
  ['5 MB of blanks', ' '.repeat(5_000_000)],
];

const headers = ['idempotency-key', 'x-forwarded-for', 'content-type', 'content-encoding', 'accept'];
const headerValues = ['x'.repeat(300), 'a,b;c="', '%00', '-1', 'multipart/form-data; boundary=', ''];

/** An invalid value of each header, another one for each `index`. */
export const oddHeaders = (index: number): readonly (readonly [header: string, value: string])[] =>
  headers.map((header, place) => [header, headerValues[(index + place) % headerValues.length] ?? '']);
