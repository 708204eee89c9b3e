import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCall } from '../../lib/domain/calls.ts';
import { anyCharacter } from '../support/random/characters.ts';

const nothing = { ContactId: null, Phone: '', Direction: '', DurationSeconds: null, Note: '', RecordingUrl: '' };

test('a JSON object is read, and stored whole as text', () => {
  const Text = JSON.stringify({
    ContactId: 12,
    Phone: ' (217) 555-0143 ',
    Direction: 'Inbound',
    DurationSeconds: 184,
    Note: 'Saturday',
    RecordingUrl: 'https://calls.example/1.mp3',
    More: 1,
  });
  expect(parseCall(Text)).toEqual({
    Text,
    ContactId: 12,
    Phone: '(217) 555-0143',
    Direction: 'Inbound',
    DurationSeconds: 184,
    Note: 'Saturday',
    RecordingUrl: 'https://calls.example/1.mp3',
  });
});

test.each([
  '',
  'Called about Saturday',
  '{"Phone":',
  '[1,2]',
  '"text"',
  'null',
  '12',
  '{}',
  '{"__proto__":{"ContactId":5}}',
])('%j has no fields to read', (Text) => {
  expect(parseCall(Text)).toEqual({ Text, ...nothing });
});

test.each([
  [{ CallerNumber: '555-0143' }, '555-0143'],
  [{ Phone: '', CallerNumber: '555-0144' }, '555-0144'],
  [{ Phone: 2_175_550_143 }, '2175550143'],
  [{ Phone: 1.5 }, ''],
  [{ Phone: ['x'] }, ''],
])('the phone of %j is %j', (record, Phone) => {
  expect(parseCall(JSON.stringify(record)).Phone).toBe(Phone);
});

describe('impossible values are left out', () => {
  test.each([0, -1, 1.5, 2 ** 31, '12', true, null, [1]])('ContactId %j', (ContactId) => {
    expect(parseCall(JSON.stringify({ ContactId })).ContactId).toBeNull();
  });

  test.each([-1, 86_401, '60', null])('DurationSeconds %j', (DurationSeconds) => {
    expect(parseCall(JSON.stringify({ DurationSeconds })).DurationSeconds).toBeNull();
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    '/relative',
    'calls.example/1.mp3',
    'https://',
    5,
  ])('RecordingUrl %j', (RecordingUrl) => {
    expect(parseCall(JSON.stringify({ RecordingUrl })).RecordingUrl).toBe('');
  });
});

test('characters from escapes that cannot be stored are removed', () => {
  expect(parseCall('{"Note":"a\\u0000b\\ud800c","Direction":"\\udc00"}')).toMatchObject({
    Note: 'ab\uFFFDc',
    Direction: '\uFFFD',
  });
});

test('any text can be read, and each part is short and well-formed', () => {
  const record = fc.dictionary(
    fc.constantFrom('ContactId', 'Phone', 'CallerNumber', 'Direction', 'DurationSeconds', 'Note', 'RecordingUrl'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.json(),
        record.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const call = parseCall(text);
        expect(call.Text).toBe(text);
        for (const part of [call.Phone, call.Direction, call.Note, call.RecordingUrl])
          expect([part.isWellFormed(), part.length <= 10_000]).toEqual([true, true]);
      },
    ),
  );
});
