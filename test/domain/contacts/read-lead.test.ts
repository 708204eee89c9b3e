import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBookingLead, readLeads } from '../../../lib/domain/contacts/read-lead.ts';
import { mayBeEscaped, unescapeForm } from '../../../lib/shared/text/form-texts.ts';
import { normalizePhone } from '../../../lib/shared/text/phones.ts';
import { isEmail } from '../../../lib/shared/text/text.ts';
import { decodeHTMLStrict } from 'entities';

/** A lead after it was read, and what Message says. */
function read(lead: Record<string, unknown>, country = 'US') {
  const body = { ...lead };
  return { sentences: readLeads(body, country), body };
}

describe('of a field of a form is stored', () => {
  test.each([
    // What can be stored stays as it was typed.
    ['Phone', '(804) 555-0143 x12', '(804) 555-0143 x12'],
    ['Phone', '1-800-FLOWERS', '1-800-FLOWERS'],
    ['Phone', 8045550143, '8045550143'],
    ['Phone', '8045550151 8045550152', '8045550151'],
    ['Phone', '\u200b', undefined],
    ['Phone', 'none', undefined],
    ['Phone', 0, undefined],
    ['PriPhone', 'N/A', undefined],
    ['Email', "o'neil@example.com", "o'neil@example.com"],
    ['Email', "'ann@example.com'", 'ann@example.com'],
    ['Email', 'ann@example.com.', 'ann@example.com'],
    ['Email', 'ann@exam\u200bple.com', 'ann@example.com'],
    ['Email', 'mailto:ann@example.com?subject=Hi', 'ann@example.com'],
    ['Email', 'ann@ / bo@example.com', 'bo@example.com'],
    ['Email', 'ann at example', undefined],
    ['Zip', '23220', '23220'],
    ['Zip', 'Toronto, Ontario K1A 0B1 Canada', 'K1A 0B1'],
    ['Zip', 'wherever you can come to us', undefined],
  ])('%s %j: what can be read', (field, sent, stored) => {
    expect(read({ [field]: sent }).body[field]).toBe(stored);
  });

  test('a number in the notation of the country of the contact, else of the organization', () => {
    const sent = '030 12345678 / 030 87654321';
    expect(read({ Phone: sent }, 'DE').body['Phone']).toBe('030 12345678');
    expect(read({ Phone: sent, Country: 'de' }).body['Phone']).toBe('030 12345678');
  });

  test('what a schema takes, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        const { body } = read({ Phone: text, Email: text, Zip: text });
        const { Phone = '', Email = '', Zip = '' } = body as Record<string, string>;
        expect(Phone === '' || (Phone.length <= 50 && normalizePhone(Phone, 'US') !== null)).toBe(true);
        expect(Email === '' || isEmail(Email)).toBe(true);
        expect(Zip.length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

test('what is left out of several fields and contacts is said by path, and is one note of its contact', () => {
  const { sentences, body } = read({
    Name: 'Top',
    Phone: '-',
    Matches: [{ Name: 'In', Email: 'a@example.com b@example.com', AltPhone: 'n/a', Notes: [{ Body: 'Own' }] }, null],
  });
  expect(sentences).toEqual([
    'Phone "-" cannot be read; it is kept in a note.',
    'Matches[0].AltPhone "n/a" cannot be read; it is kept in a note.',
    'Of Matches[0].Email "a@example.com b@example.com" only "a@example.com" is stored; a note has all of it.',
  ]);
  expect(body).toEqual({
    Name: 'Top',
    Notes: [{ Title: 'As sent', Body: 'Phone: -' }],
    Matches: [
      {
        Name: 'In',
        Email: 'a@example.com',
        Notes: [{ Body: 'Own' }, { Title: 'As sent', Body: 'AltPhone: n/a\nEmail: a@example.com b@example.com' }],
      },
      null,
    ],
  });
});

test('nothing is said of a name in front of an e-mail that is the name of the contact', () => {
  expect(read({ Name: 'Ann Lee', Email: 'Ann Lee <ann@example.com>' })).toEqual({
    sentences: [],
    body: { Name: 'Ann Lee', Email: 'ann@example.com' },
  });
});

test('a booking keeps what is left out in its InternalNotes', () => {
  const body: Record<string, unknown> = { PriPhone: 'none', Email: 'ann@example.com' };
  expect(readBookingLead(body, 'US')).toEqual(['PriPhone "none" cannot be read; it is kept in a note.']);
  expect(body).toEqual({ Email: 'ann@example.com', InternalNotes: 'As sent:\nPriPhone: none' });
});

describe('a text that a form has escaped', () => {
  test.each([
    ["O\\'Neil", "O'Neil"],
    ["O\\\\\\'Neil", "O'Neil"],
    ['O&amp;amp;#39;Neil', "O'Neil"],
    ['Jos&eacute; &#x263A;', 'José ☺'],
    ['say \\"hi\\" \\\\o/', 'say "hi" \\o/'],
    // What nobody escaped stays.
    ['C:\\dir\\new', 'C:\\dir\\new'],
    ['A & B; R&D &c. &copy', 'A & B; R&D &c. &copy'],
    ['https://example.com/?a=1&lt=2', 'https://example.com/?a=1&lt=2'],
  ])('%j is %j', (sent, expected) => {
    expect(mayBeEscaped(sent)).toBe(sent !== expected);
    expect(unescapeForm(sent, decodeHTMLStrict)).toBe(expected);
  });
});
