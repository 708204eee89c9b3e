import { expect, test } from 'vitest';
import { normalizePostalCode, streetWords } from '../../lib/shared/text/text.ts';

test.each([
  ['12 North Main Street', '12 N. Main St'],
  ['500 SE Oak Avenue, Suite 4', '500 Southeast Oak Ave Ste 4'],
  ["3 O'Neill Boulevard", '3 ONeill Blvd.'],
  ['Calle de Alcalá 7', 'CALLE DE ALCALA 7'],
])('%s and %s are the same street', (one, other) => {
  expect(streetWords(one)).toEqual(streetWords(other));
});

test('the second line counts, and words are distinct and at most 12', () => {
  expect(streetWords('12 Main Street', 'Apartment 12 B')).toEqual(['12', 'main', 'st', 'apt', 'b']);
  expect(streetWords(Array.from({ length: 12 }, (_, index) => `a${index}`).join(' '), 'b c')).toHaveLength(12);
  expect(streetWords('constructor toString')).toEqual(['constructor', 'tostring']);
  expect(streetWords('')).toEqual([]);
});

test.each([
  ['62701', '62701'],
  ['62701-1234', '62701'],
  ['627011234', '62701'],
  [' 62701 1234 ', '62701'],
  ['62701–1234', '62701'],
  ['k1a 0b1', 'K1A0B1'],
  ['K1A-0B1', 'K1A0B1'],
  ['SW1A 1AA', 'SW1A1AA'],
  ['1234-567', '1234567'],
  ['D02 X285', 'D02X285'],
  ['', ''],
  ['１２３４５', '12345'],
])('postal code %j is %j', (text, expected) => {
  expect(normalizePostalCode(text)).toBe(expected);
});
