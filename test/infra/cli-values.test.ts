import { describe, expect, test } from 'vitest';
import { formatList, errorSentence, formatTable } from '../../infra/cli/output.ts';
import { dateStyle, duration, expiry, name, role, timeZone, whole } from '../../infra/cli/values.ts';
import { StoreConflict, StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';

const now = Date.parse('2026-11-21T14:00:00Z');

describe('what the command line understands', () => {
  test.each([
    ['90m', 5_400_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['0h', 0],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(duration(text)).toBe(milliseconds);
  });

  test.each(['', '1', '1w', '-1d', '1.5h', '999999d', '1d2h', ' 1d'])('"%s" is no duration', (text) => {
    expect(() => duration(text)).toThrow('Write it like 24h');
  });

  test('a key that ends on a day works through that day', () => {
    expect(new Date(expiry('2026-11-21', now)).toISOString()).toBe('2026-11-22T00:00:00.000Z');
    expect(new Date(expiry('30d', now)).toISOString()).toBe('2026-12-21T14:00:00.000Z');
  });

  test.each([
    ['2026-02-30', 'no such day'],
    ['2026-13-01', 'no such day'],
    ['2026-11-20', 'in the future'],
    ['0d', 'in the future'],
    ['soon', 'Write it like'],
  ])('a key cannot end %s', (text, message) => {
    expect(() => expiry(text, now)).toThrow(message);
  });

  test('words in any case, numbers in their range, names without blanks around', () => {
    expect(role('office')).toBe('Office');
    expect(dateStyle('US')).toBe('us');
    expect(whole(1, 10)('10')).toBe(10);
    expect(name('  Blue Sky ')).toBe('Blue Sky');
    expect(timeZone('America/New_York')).toBe('America/New_York');
  });

  test.each([
    [role, 'King', 'one of Owner'],
    [whole(1, 10), '11', '1 to 10'],
    [whole(1, 10), '1e0', '1 to 10'],
    [name, ' ', '1 to 200'],
    [name, 'x'.repeat(201), '1 to 200'],
    [timeZone, '+05:00', 'IANA'],
    [timeZone, 'Mars/Olympus', 'IANA'],
  ] as const)('refuses what it does not: %o', (parse, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe('what the command line says', () => {
  test('tables are aligned, and what is empty is a dash', () => {
    const rows = [
      { Public: 'abc', Name: 'Web site', Expires: null },
      { Public: 'defghi', Name: '', Expires: '2026-12-21' },
    ];
    expect(formatTable(rows)).toBe('Public  Name      Expires\nabc     Web site  –\ndefghi  –         2026-12-21');
    expect(formatList({ Key: 'k', Organization: 1 })).toBe('Key           k\nOrganization  1');
  });

  test.each([
    [new StoreUnavailable('connect ECONNREFUSED'), 'is the stack running?'],
    [new StoreConflict('condition'), 'at the same moment'],
    [
      Object.assign(new Error('Requested resource not found'), { name: 'ResourceNotFoundException' }),
      'no table of that name',
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
