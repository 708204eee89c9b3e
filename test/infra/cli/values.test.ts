import { describe, expect, test } from 'vitest';
import { formatList, errorSentence, formatTable } from '../../../infra/cli/output.ts';
import { dateStyle, duration, expiry, name, role, timeZone, wholeNumber } from '../../../infra/cli/values.ts';
import { StoreConflict, StoreUnavailable } from '../../../lib/store/dynamodb/errors.ts';

const now = Date.parse('2026-11-21T14:00:00Z');

describe('an argument of the command line', () => {
  test.each([
    ['90m', 5_400_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['0h', 0],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(duration(text)).toBe(milliseconds);
  });

  test.each(['', '1', '1w', '-1d', '1.5h', '999999d', '1d2h', ' 1d'])('"%s" is not a duration', (text) => {
    expect(() => duration(text)).toThrow('Write it like 24h');
  });

  test('a last day counts whole', () => {
    expect(new Date(expiry('2026-11-21', now)).toISOString()).toBe('2026-11-22T00:00:00.000Z');
    expect(new Date(expiry('30d', now)).toISOString()).toBe('2026-12-21T14:00:00.000Z');
  });

  test.each([
    ['2026-02-30', 'does not exist'],
    ['2026-13-01', 'does not exist'],
    ['2026-11-20', 'in the future'],
    ['0d', 'in the future'],
    ['soon', 'Write it like'],
  ])('a key cannot end %s', (text, message) => {
    expect(() => expiry(text, now)).toThrow(message);
  });

  test('words in any case, numbers in range, trimmed names are accepted', () => {
    expect(role('office')).toBe('Office');
    expect(dateStyle('US')).toBe('us');
    expect(wholeNumber(1, 10)('10')).toBe(10);
    expect(name('  Blue Sky ')).toBe('Blue Sky');
    expect(timeZone('America/New_York')).toBe('America/New_York');
  });

  test.each([
    [role, 'King', 'one of Owner'],
    [wholeNumber(1, 10), '11', '1 to 10'],
    [wholeNumber(1, 10), '1e0', '1 to 10'],
    [name, ' ', '1 to 200'],
    [name, 'x'.repeat(201), '1 to 200'],
    [timeZone, '+05:00', 'IANA'],
    [timeZone, 'Mars/Olympus', 'IANA'],
  ] as const)('%o refuses %j', (parse, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe('output of the command line', () => {
  test('tables are aligned, and an empty cell is a dash', () => {
    const rows = [
      { Public: 'abc', Name: 'Web site', Expires: null },
      { Public: 'defghi', Name: '', Expires: '2026-12-21' },
    ];
    expect(formatTable(rows)).toBe('Public  Name      Expires\nabc     Web site  –\ndefghi  –         2026-12-21');
    expect(formatList({ Key: 'k', Organization: 1 })).toBe('Key           k\nOrganization  1');
  });

  test.each([
    [new StoreUnavailable('connect ECONNREFUSED'), 'Check that the stack runs'],
    [new StoreConflict('condition'), 'at the same time'],
    [
      Object.assign(new Error('Requested resource not found'), { name: 'ResourceNotFoundException' }),
      'Table not found',
    ],
    [
      Object.assign(new Error('Could not load credentials\nat x'), { name: 'CredentialsProviderError' }),
      'AWS refuses: Could not load credentials',
    ],
    [new TypeError('first\n    at second'), 'first'],
  ])('%s becomes a sentence', (error, part) => {
    expect(errorSentence(error)).toContain(part);
    expect(errorSentence(error)).not.toContain('\n');
  });
});
