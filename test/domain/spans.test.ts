import { describe, expect, test } from 'vitest';
import { parseTimeSpan } from '../../lib/shared/read-moments.ts';

const HOUR = 3_600_000;

const names = ['DueFrom', 'DueThrough'] as const;

describe('a span of a query', () => {
  test.each<[string, [string | null | undefined, string | null | undefined], number | undefined]>([
    ['America/New_York', ['2026-03-07', '2026-03-07'], 24],
    ['America/New_York', ['2026-03-08', '2026-03-08'], 23],
    ['America/New_York', ['2026-11-01', '11/1/2026'], 25],
    ['Australia/Lord_Howe', ['2026-04-05', '2026-04-05'], 24.5],
    ['Asia/Kolkata', ['2026-03-08T00:00', '2026-03-08T23:59:59'], 24],
    ['UTC', [undefined, '2026-03-08'], undefined],
    ['UTC', ['2026-03-08', null], undefined],
    ['UTC', ['', ''], undefined],
  ])('in %s, %j, has whole days', (zone, input, hours) => {
    const { span, errors } = parseTimeSpan(names, { DueFrom: input[0], DueThrough: input[1] }, zone);
    expect(errors).toEqual([]);
    expect(
      span.from === undefined || span.through === undefined ? undefined : (span.through + 1 - span.from) / HOUR,
    ).toBe(hours);
    expect([span.from === undefined, span.through === undefined]).toEqual(input.map((text) => !text));
  });

  test.each<[[string, string], string[]]>([
    [
      ['then', 'now'],
      ['DueFrom', 'DueThrough'],
    ],
    [['2026-03-08', 'now'], ['DueThrough']],
    [['2026-03-09', '2026-03-08'], ['DueThrough']],
    [['2026-03-08T02:30', '2026-03-09'], ['DueFrom']],
  ])('%j names the fields at fault', ([DueFrom, DueThrough], fields) => {
    expect(parseTimeSpan(names, { DueFrom, DueThrough }, 'America/New_York').errors.map(({ field }) => field)).toEqual(
      fields,
    );
  });
});
