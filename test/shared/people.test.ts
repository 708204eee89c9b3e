import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMailboxes, readName, readPhones, splitPhones } from '../../lib/shared/text/people.ts';
import { unescapeText } from '../../lib/shared/text/unescape.ts';
import { isEmail } from '../../lib/shared/text/text.ts';

describe('e-mails with the names beside them', () => {
  test.each([
    ['ann@example.com', ['ann@example.com'], ''],
    ['"Ann Lee" <ann@example.com>', ['Ann Lee <ann@example.com>'], ''],
    ['Ann Lee <Ann@Example.com>', ['Ann Lee <Ann@Example.com>'], ''],
    ['"Lee, Ann" <ann@example.com>', ['Ann Lee <ann@example.com>'], ''],
    ['ann@example.com (Ann Lee)', ['Ann Lee <ann@example.com>'], ''],
    ['<ann@example.com>', ['ann@example.com'], ''],
    ['mailto:ann@example.com', ['ann@example.com'], ''],
    ['a@example.com; b@example.com', ['a@example.com', 'b@example.com'], ';'],
    ['Ann <a@example.com>, Bob Ray <b@example.com>', ['Ann <a@example.com>', 'Bob Ray <b@example.com>'], ''],
    ['bo@example.com, Ann Lee <ann@example.com>', ['bo@example.com', 'Ann Lee <ann@example.com>'], ''],
    ['ann@example.com or ANN@example.com', ['ann@example.com'], 'or'],
    ['write to ann@example.com please', ['ann@example.com'], 'write to please'],
    ['ann at example', [], 'ann at example'],
  ])('%j', (text, mailboxes, rest) => {
    const read = readMailboxes(text);
    expect(read.values.map(({ name, email }) => (name ? `${name} <${email}>` : email))).toEqual(mailboxes);
    expect(read.rest).toBe(/\p{L}/u.test(rest) ? rest : '');
  });
});

describe('phone numbers', () => {
  test.each([
    ['(804) 555-0143 x12', ['(804) 555-0143 x12'], ''],
    ['8045550143 / 8045550199', ['8045550143', '8045550199'], ''],
    ['804-555-0143 or 804-555-0199', ['804-555-0143', '804-555-0199'], ''],
    ['home 804-555-0143, cell 804-555-0199', ['home 804-555-0143', 'cell 804-555-0199'], ''],
    ['8045550143.0', ['8045550143'], ''],
    ['8.045550143E+09', ['8045550143'], ''],
    ['8.04555E+09', [], '8.04555E+09'],
    ['please only call me in the evening at 804-555-0143, thank you so much', ['804-555-0143'], undefined],
    ['n/a', [], 'n/a'],
  ])('%j', (text, phones, rest) => {
    const read = readPhones(text, 'US');
    expect(read.values).toEqual(phones);
    if (rest !== undefined) expect(read.rest).toBe(rest);
  });

  test('are split only where each part is one', () => {
    expect(splitPhones('804-555-0143 and the shop')).toEqual(['804-555-0143 and the shop']);
  });
});

test.each([
  ['Lee, Ann', 'Ann Lee'],
  ['van der Berg, Jan', 'Jan van der Berg'],
  ["O'Brien, Mary Kate", "Mary Kate O'Brien"],
  ['Ann Lee', 'Ann Lee'],
  ['Dr. Ann Lee', 'Dr. Ann Lee'],
  ['Ann Lee, MD', 'Ann Lee, MD'],
  ['Ann Lee, Jr.', 'Ann Lee, Jr.'],
  ['Acme, Inc.', 'Acme, Inc.'],
  ['Ann Lee, Bob Ray', 'Ann Lee, Bob Ray'],
  ['Lee, Ann, Bob', 'Lee, Ann, Bob'],
  ['Green Lawn, Care', 'Green Lawn, Care'],
  ['Unit 12, Ann', 'Unit 12, Ann'],
])('the name %j is %j', (text, name) => {
  expect(readName(text)).toBe(name);
});

test('HTML entities and backslashes of forms are undone', () => {
  expect(unescapeText('O&#39;Neil &amp; Sons')).toBe("O'Neil & Sons");
});

test('every e-mail that is read is one, and no word of a text is lost', () => {
  const part = fc.oneof(
    fc.constantFrom('ann@example.com', '<', '>', '"', 'Ann Lee', ',', ';', '(', ')', 'mailto:', '@', ' '),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const { values, rest } = readMailboxes(text);
      expect(values.every(({ email }) => isEmail(email))).toBe(true);
      const read = `${values.map(({ name, email }) => `${name} ${email}`).join(' ')} ${rest}`;
      for (const word of text.match(/[A-Za-z]{3,}/g) ?? []) expect(read.includes(word) || word === 'mailto').toBe(true);
    }),
  );
});
