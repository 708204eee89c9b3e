import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/min';
import { describe, expect, test } from 'vitest';
import { normalizePhone } from '../../lib/shared/text/phones.ts';
import { anyCharacter } from '../support/random/characters.ts';

const COUNTRIES = getCountries();

describe('one number in any notation', () => {
  test.each([
    '(217) 555-0143',
    '217.555.0143',
    '217 555 0143',
    '2175550143',
    '217/555/0143',
    '217-555-0143 x12',
    '217.555.0143x12',
    '217-555-0143 ext. 12',
    '217-555-0143 Extension 1234',
    '217-555-0143 #12',
    '+1 217 555 0143',
    '+1 (217) 555-0143;ext=12',
    '1-217-555-0143',
    '011 1 217 555 0143',
    'tel:+1-217-555-0143',
    '217-555-0143 (cell)',
    'home: 217-555-0143',
    '217-555-0143, 217-555-0199',
    '２１７－５５５－０１４３',
    '\u202a+1\u00a0217\u2011555\u20110143\u202c',
    '217-555-0143,,12',
  ])('%s', (text) => {
    expect(normalizePhone(text)).toBe('+12175550143');
  });
});

test.each([
  ['555-0143', 'US', '+15550143'],
  ['1-800-FLOWERS', 'US', '+18003569377'],
  ['1 (800) CONTACTS', 'CA', '+18002668228'],
  ['217-555-ROOF x9', 'US', '+12175557663'],
  ['020 7946 0958', 'GB', '+442079460958'],
  ['+44 (0)20 7946 0958', 'US', '+442079460958'],
  ['011 44 20 7946 0958', 'US', '+442079460958'],
  ['44 20 7946 0958', 'GB', '+442079460958'],
  ['(02) 5550 1234', 'AU', '+61255501234'],
  ['0011 1 217 555 0143', 'AU', '+12175550143'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['430-1234', 'BB', '+12464301234'],
  ['+55 (11) 91234-5678', 'US', '+5511912345678'],
  ['011 55 11 91234-5678', 'US', '+5511912345678'],
  ['(11) 91234-5678', 'BR', '+5511912345678'],
  ['090-1234-5678', 'JP', '+819012345678'],
  ['8 (912) 345-67-89', 'RU', '+79123456789'],
  ['+999 1234 5678', 'US', '+99912345678'],
  ['555-0143 work', 'US', '+15550143'],
  ['217-555-0143', 'us', '2175550143'],
  ['217-555-0143', 'constructor', '2175550143'],
])('%s in %s is %s', (text, country, expected) => {
  expect(normalizePhone(text, country)).toBe(expected);
});

test.each([
  '',
  'none',
  '12345',
  '555-014',
  '123 Main Street',
  'ask for Ann',
  '+0 217 555 0143',
  '1'.repeat(40),
  '9'.repeat(18),
  '911',
])('%j is not a number', (text) => {
  expect(normalizePhone(text)).toBeNull();
});

describe.each(COUNTRIES)('a number of %s', (country) => {
  const example = getExampleNumber(country, examples);
  test('is the same however it is written', () => {
    if (!example) throw new Error(`no example of ${country}`);
    const national = example.formatNational();
    expect(normalizePhone(national, country)).toBe(national.replace(/\D/g, '').length < 7 ? null : example.number);
    for (const text of [example.formatInternational(), example.getURI(), example.number.replace('+', '011 ')])
      expect(normalizePhone(text, 'US')).toBe(example.number);
  });
});

/** Digits of any length, as they are typed in a country. */
const numberOf = fc.record({
  country: fc.constantFrom(...COUNTRIES),
  digits: fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 14 }),
});

test('is stable, and ignores punctuation and extension', () => {
  const mark = fc.constantFrom('', '-', ' ', '.', ')', '(', '/', '\u00a0', '–');
  const punctuation = fc.array(mark, { minLength: 20, maxLength: 20 });
  const tails = fc.constantFrom('', ' x12', ' ext. 5', ' (w)', '#7');
  fc.assert(
    fc.property(numberOf, fc.boolean(), punctuation, tails, ({ country, digits }, plus, marks, tail) => {
      const plain = `${plus ? `+${getCountryCallingCode(country)}` : ''}${digits}`;
      const dressed = [...plain].map((digit, index) => digit + (marks[index] ?? '')).join('') + tail;
      const expected = normalizePhone(plain, country);
      expect(normalizePhone(dressed, country)).toBe(expected);
      if (expected !== null) expect(normalizePhone(expected, country)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('never throws; returns null or 7 to 17 digits, with a plus where the calling code is known', () => {
  const countries = fc.constantFrom('US', 'GB', 'BB', 'AU', 'DE', 'CC');
  const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-(). xX#;=ext'), maxLength: 60 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), phoneLike), countries, (text, country) => {
      const phone = normalizePhone(text, country);
      if (phone === null) return;
      expect(phone).toMatch(/^\+?\d{7,17}$/);
      expect(normalizePhone(phone, country)).toBe(phone);
    }),
    { numRuns: 3000 },
  );
});
