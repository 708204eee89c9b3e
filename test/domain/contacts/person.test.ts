import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERASED, personOf } from '../../../lib/domain/contacts/person.ts';
import { someContact } from '../../support/contacts.ts';

const blank = { Name: '', Nickname: '', Company: '', Email: '', Phone: '', AltPhone: '', Address1: '', Address2: '' };

const maria = personOf(
  someContact(1, {
    ...blank,
    Hash: 'q8Zw31kd93jfkdls02kd93',
    Name: 'Maria Kowalczyk',
    Email: 'maria.k@example.com',
    Phone: '(217) 555-0143',
    Address1: '77 Blueberry Lane',
  }),
  [
    {
      ...blank,
      Name: 'Maria Nowakowska',
      Email: 'nowakowska@example.org',
      Phone: '217-555-0199',
      Address1: '9 Elder St',
    },
  ],
);

describe('a text of a person’s own record is about the person', () => {
  test.each([
    'Kowalczyk, Maria',
    'Maria J. Kowalczyk',
    'mowing for MARIA',
    'Kowalczyk',
    'T for Kowalczyk’s',
    "behind Kowalczyk's",
    'gate of the Kowalczyks',
    "the Kowalczyks' gate",
    'Marias mower',
    'Blueberrys corner',
    '77 Blueberry Ln',
    'blueberry lane, rear',
    'call 555-0143',
    '+12175550143',
    'to Maria.K@Example.com',
    'formerly Nowakowska',
    '9 Elder Street',
    'nowakowska@example.org',
    '217.555.0199',
    'Máría',
  ])('%s', (text) => {
    expect(maria.isNamedIn(text)).toBe(true);
  });
});

test.each([
  '',
  'Lawn mowing',
  'Lane clearing',
  'Mariana',
  'Mariasse',
  'blueberrybush',
  'the street',
  '555',
  'Net 30',
  '2026-17',
])('a text that only resembles it is not: %s', (text) => {
  expect(maria.isNamedIn(text)).toBe(false);
});

test.each([
  ['Ask Kowalczyk, Maria first', `Ask ${ERASED} first`],
  ['Maria J. Kowalczyk pays', `${ERASED} pays`],
  ['behind 77 blueberry ln.', `behind ${ERASED} ln.`],
  ['(217) 555-0143 or maria.k@example.com', `${ERASED} or ${ERASED}`],
  ['Maria Kowalczyk’s gate', `${ERASED} gate`],
  ['the Maria Kowalczyks', `the ${ERASED}`],
  ['the Kowalczyks', 'the Kowalczyks'],
  ['Maria called', 'Maria called'],
  ['Kowalczyk & Sons', 'Kowalczyk & Sons'],
  ['7 Blueberry Lane', '7 Blueberry Lane'],
  ['xmaria.k@example.com', 'xmaria.k@example.com'],
  ['12175550143999', '12175550143999'],
])('in a text of somebody else only what certainly means the person goes: %s', (text, expected) => {
  expect([maria.redact(text), maria.isMeantIn(text)]).toEqual([expected, text !== expected]);
});

test('short names match no part of a word, and nobody else’s words', () => {
  const short = personOf(
    someContact(2, { ...blank, Hash: 'q8Zw31kd93jfkdls02kd94', Name: 'Al Dow', Company: 'Li' }),
    [],
  );
  for (const text of ['Window Cleaning', 'call', 'Alabama', 'lilac', 'shadow', 'Als', 'Dows'])
    expect([short.isNamedIn(text), short.redact(text)]).toEqual([false, text]);
  const window = personOf(someContact(3, { ...blank, Hash: 'q8Zw31kd93jfkdls02kd95', Name: 'Window' }), []);
  expect(window.redact('Window Cleaning')).toBe('Window Cleaning');
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Made names: none is a word of the fillers, which have no `q`. */
const madeName = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 2, maxLength: 8 })
  .map((letters) => `Q${letters.join('')}q`);
const fillers = ['lawn', 'mowing', 'of', 'the', 'yard', 'twice', 'in', 'May', 'Lane', 'Street', '30', 'window', 'call'];
const filler = fc.array(fc.constantFrom(...fillers), { maxLength: 4 }).map((words) => words.join(' '));
const digits = fc.integer({ min: 2_000_000, max: 9_999_999 }).map((local) => `217${local}`);

test('whatever the name, street, number and mail, present or former: they are found in every form, and the rest stays', () => {
  const state = fc.record({
    first: madeName,
    last: madeName,
    street: madeName,
    number: fc.integer({ min: 1, max: 999 }),
    phone: digits,
  });
  fc.assert(
    fc.property(state, state, fc.boolean(), filler, filler, fc.nat(9), (now, once, isFormer, before, after, form) => {
      fc.pre(
        new Set([now.first, now.last, now.street, once.first, once.last, once.street].map((t) => t.toLowerCase()))
          .size === 6,
      );
      const identity = ({ first, last, street, number, phone }: typeof now) => ({
        ...blank,
        Name: `${first} ${last}`,
        Email: `${first}.${last}@example.com`.toLowerCase(),
        Phone: phone,
        Address1: `${number} ${street} Lane`,
      });
      const contact = someContact(1, { ...identity(now), Hash: 'ZZZZZZZZZZZZZZZZZZZZZZ' });
      const person = personOf(contact, [identity(once)]);
      const { first, last, street, number, phone } = isFormer ? once : now;
      const [area, office, line] = [phone.slice(0, 3), phone.slice(3, 6), phone.slice(6)];
      const certain = [
        `${first} ${last}`,
        `${last}, ${first}`,
        `${first} J. ${last}`,
        `${first} ${last}`.toUpperCase(),
        `${first}.${last}@EXAMPLE.com`,
        `(${area}) ${office}-${line}`,
        `${area}.${office}.${line}`,
        `${number} ${street}`,
      ];
      const only = [first, last];
      const mention = [...certain, ...only][form] ?? '';
      const text = [before, mention, after].filter(Boolean).join(' / ');
      const bare = [before, after].filter(Boolean).join(' / ');
      expect([person.isNamedIn(text), person.isNamedIn(bare)]).toEqual([true, false]);
      const expected = form < certain.length ? [before, ERASED, after].filter(Boolean).join(' / ') : text;
      expect(person.redact(text)).toBe(expected);
      expect(person.redact(bare)).toBe(bare);
    }),
    { numRuns: 150 },
  );
});
