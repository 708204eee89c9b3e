import fc from 'fast-check';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, test } from 'vitest';
import { plansFromLibrary } from '../../infra/pack/phone-plans.ts';
import committed from '../../lib/shared/text/phone-plans.json' with { type: 'json' };
import { type Plan, normalizePhone } from '../../lib/shared/text/phones.ts';
import { anyCharacter } from '../support/random/characters.ts';

const plans = committed as unknown as Record<string, Plan>;
const COUNTRIES = Object.keys(plans) as CountryCode[];

function planIn(country: string): Plan {
  const plan = plans[country];
  if (!plan) throw new Error(`no plan of ${country}`);
  return plan;
}

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
  ['(11) 91234-5678', 'BR', '11912345678'],
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

test('the plans are those of the installed libphonenumber-js; after an update of it: npm run phone-metadata', () => {
  expect(committed).toEqual(plansFromLibrary());
});

const digitsOf = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });

/** A national number that fits a country's lengths, as digits. */
const numberOf = fc.constantFrom(...COUNTRIES).chain((country) => {
  const lengths = planIn(country)[3];
  const long = lengths.filter((length) => length >= 7);
  return fc
    .constantFrom(...(long.length > 0 ? long : lengths))
    .chain((length) => fc.record({ country: fc.constant(country), digits: digitsOf(length) }));
});

test('reads every possible number as libphonenumber reads it, in every country of the plans', () => {
  const known = new Set<string>(COUNTRIES.map((country) => planIn(country)[0]));
  const read = (text: string, defaultCountry: CountryCode) =>
    parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  const prefixes = fc.constantFrom('', '0', '1', '00', '011', '0011', '+');
  const origins = fc.option(fc.constantFrom(...COUNTRIES));
  let compared = 0;
  fc.assert(
    fc.property(numberOf, prefixes, fc.boolean(), origins, (to, prefix, withCode, from) => {
      const dialled = `${prefix}${withCode ? planIn(to.country)[0] : ''}${to.digits}`;
      const origin = from ?? to.country;
      const expected = read(dialled, origin);
      if (!expected?.isPossible() || !known.has(expected.countryCallingCode) || expected.number.length < 8) return;
      // The library reads once; where it reads its own answer differently, normalizePhone goes on until it is settled.
      if (read(expected.number, origin)?.number !== expected.number) return;
      compared += 1;
      expect(normalizePhone(dialled, origin)).toBe(expected.number);
    }),
    { numRuns: 10_000 },
  );
  expect(compared).toBeGreaterThan(2000);
});

test('is stable, and ignores punctuation and extension', () => {
  const mark = fc.constantFrom('', '-', ' ', '.', ')', '(', '/', '\u00a0', '–');
  const punctuation = fc.array(mark, { minLength: 20, maxLength: 20 });
  const tails = fc.constantFrom('', ' x12', ' ext. 5', ' (w)', '#7');
  fc.assert(
    fc.property(numberOf, fc.boolean(), punctuation, tails, ({ country, digits }, plus, marks, tail) => {
      const plain = `${plus ? `+${planIn(country)[0]}` : ''}${digits}`;
      const dressed = [...plain].map((digit, index) => digit + (marks[index] ?? '')).join('') + tail;
      const expected = normalizePhone(plain, country);
      expect(normalizePhone(dressed, country)).toBe(expected);
      if (expected !== null) expect(normalizePhone(expected, country)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('never throws; returns null or, for a known country, a plus and 7 to 17 digits', () => {
  const countries = fc.constantFrom('US', 'GB', 'BB', 'AU', 'DE', 'CC');
  const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-(). xX#;=ext'), maxLength: 60 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), phoneLike), countries, (text, country) => {
      const phone = normalizePhone(text, country);
      if (phone === null) return;
      expect(phone).toMatch(/^\+\d{7,17}$/);
      expect(normalizePhone(phone, country)).toBe(phone);
    }),
    { numRuns: 3000 },
  );
});
