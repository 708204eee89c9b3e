import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERASED, personOf } from '../../../lib/domain/contacts/person.ts';
import { someContact } from '../../support/contacts.ts';
import { type SomePerson, around, foldedWords, someFiller, somePerson } from '../../support/random/persons.ts';

const blank = {
  Name: '',
  Nickname: '',
  Company: '',
  Email: '',
  Phone: '',
  AltPhone: '',
  Address1: '',
  Address2: '',
  PhoneKey: '',
  AltPhoneKey: '',
};

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
  ['behind 77 blueberry ln.', `behind ${ERASED}.`],
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

const named = (Name: string, more: object = {}) =>
  personOf(someContact(4, { ...blank, Hash: 'q8Zw31kd93jfkdls02kd96', Name, ...more }), []);

test.each([
  ['Jan & Maria Kowalczyk', 'Ask Maria Kowalczyk', `Ask ${ERASED}`],
  ['Jan and Maria Kowalczyk', 'the Jan & Maria Kowalczyk yard', `the ${ERASED} yard`],
  ['J. R. Smith', 'from J. R. Smith', `from ${ERASED}`],
  ['John Smith III', 'John Smith pays', `${ERASED} pays`],
  ["D'Angelo, Win", 'Win D`Angelo', ERASED],
  ['Jürgen Müller', 'JUERGEN MUELLER', ERASED],
  ['Win May', 'Win May called', `${ERASED} called`],
  ['Win May', 'we win may be', 'we win may be'],
  ['Will May', 'In May will it rain', 'In May will it rain'],
  ['Mr. Smith', 'Mr. Smith', 'Mr. Smith'],
  ['Anna Maria Kowalczyk', 'Anna Maria', 'Anna Maria'],
])('a whole name in another text: %s in %s', (name, text, expected) => {
  expect(named(name).redact(text)).toBe(expected);
});

test.each([
  ['12 Old Mill Rd', 'at 12 Old Post Rd', 'at 12 Old Post Rd'],
  ['12 Old Mill Rd', 'at 12 Old Mill Road', `at ${ERASED}`],
  ['Unit 4, 77 Blueberry Lane', '4 Blueberry Lane', '4 Blueberry Lane'],
  ['Unit 4 77 Blueberry Lane', '77 Blueberry Ln', ERASED],
  ['Blumenweg 7', 'zum Blumenweg 7', `zum ${ERASED}`],
  ['12 1/2 Elm St', '2 Elm Street', '2 Elm Street'],
  ['350 5th Avenue', '350 5th Ave', ERASED],
  ['5 North Street', '5 N St.', `${ERASED}.`],
])('a street in another text: %s in %s', (Address1, text, expected) => {
  expect(named('', { Address1 }).redact(text)).toBe(expected);
});

test.each([
  ['+44 20 7946 0958', '+442079460958', 'call 020 7946 0958', `call ${ERASED}`],
  ['020 7946 0958', '+442079460958', '+44 (0)20 7946-0958', ERASED],
  ['+48 601 234 567', '+48601234567', '601-234-567', ERASED],
  ['217-555-0143, cell 217-555-0144', '+12175550143', '(217) 555-0144', ERASED],
  ['(217) 555-0143 x5', '+12175550143', '2175550143', ERASED],
  ['+45 12 34 56 78', '+4512345678', 'job 12345678', 'job 12345678'],
  ['+45 12 34 56 78', '+4512345678', '+45 12345678', ERASED],
  ['217-555-0143', '', '+1 217 555 0143', ERASED],
])('a number in another text: %s in %s as %s', (Phone, PhoneKey, text, expected) => {
  expect(named('', { Phone, PhoneKey }).redact(text)).toBe(expected);
});

test.each([
  ['to LI@example.com.', `to ${ERASED}.`],
  ['an.li@example.com', 'an.li@example.com'],
  ['li@example.com.au', 'li@example.com.au'],
])('an e-mail in another text is no part of a longer one: %s', (text, expected) => {
  expect(named('', { Email: 'li@example.com' }).redact(text)).toBe(expected);
});

const RUNS = 100 * Number(process.env['ERASURE_RUNS'] ?? 2);

const contactOf = ({ fields, phoneKey }: SomePerson) => ({ ...blank, ...fields, PhoneKey: phoneKey });

/** A person, present or former, and one of the ways to write it between other words. */
const someMention = fc
  .record({ now: somePerson, once: somePerson, isFormer: fc.boolean(), before: someFiller, after: someFiller })
  .chain((some) => {
    const { certain, only } = some.isFormer ? some.once : some.now;
    return fc.record({ some: fc.constant(some), certain: fc.constantFrom(...certain), only: fc.constantFrom(...only) });
  })
  .map(({ some, ...forms }) => ({
    ...some,
    ...forms,
    person: personOf(someContact(1, { ...contactOf(some.now), Hash: 'ZZZZZZZZZZZZZZZZZZZZZZ' }), [
      contactOf(some.once),
    ]),
  }));

test('whatever the person, present or former: own texts lose every form, texts of others what certainly means it', () => {
  fc.assert(
    fc.property(someMention, ({ now, once, before, after, certain, only }) => {
      const contact = someContact(1, { ...contactOf(now), Hash: 'ZZZZZZZZZZZZZZZZZZZZZZ' });
      const person = personOf(contact, [contactOf(once)]);
      const [mention, alone, bare] = [certain, only, ''].map((form) => around(before, form, after));
      expect([mention, alone, bare].map((text) => person.isNamedIn(text ?? ''))).toEqual([true, true, false]);
      expect([alone, bare].map((text) => person.redact(text ?? ''))).toEqual([alone, bare]);
      const redacted = person.redact(mention ?? '');
      const [start, end] = [`${before} / `, ` / ${after}`];
      expect([redacted.startsWith(start), redacted.endsWith(end)], redacted).toEqual([true, true]);
      const left = redacted.slice(start.length, -end.length);
      expect(left).toContain(ERASED);
      const words = foldedWords(left.replaceAll(ERASED, ''));
      expect(words.filter((word) => now.words.has(word) || once.words.has(word) || /\d{2}/.test(word))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
