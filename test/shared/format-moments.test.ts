import { expect, test } from 'vitest';
import { toFriendly, toLocal, toLocalDate, toUsStyle, toUtc } from '../../lib/shared/time/time.ts';

test.each([
  [
    '2026-03-08T13:00:00.000Z',
    'America/New_York',
    '2026-03-08T09:00:00-04:00',
    '3/8/2026 9:00:00 AM',
    'Sun, Mar 8 2026 9:00 AM',
  ],
  [
    '2026-03-08T06:59:59.999Z',
    'America/New_York',
    '2026-03-08T01:59:59-05:00',
    '3/8/2026 1:59:59 AM',
    'Sun, Mar 8 2026 1:59 AM',
  ],
  [
    '2026-03-08T07:00:00.000Z',
    'America/New_York',
    '2026-03-08T03:00:00-04:00',
    '3/8/2026 3:00:00 AM',
    'Sun, Mar 8 2026 3:00 AM',
  ],
  [
    '2026-11-01T05:30:00.000Z',
    'America/New_York',
    '2026-11-01T01:30:00-04:00',
    '11/1/2026 1:30:00 AM',
    'Sun, Nov 1 2026 1:30 AM',
  ],
  [
    '2026-11-01T06:30:00.000Z',
    'America/New_York',
    '2026-11-01T01:30:00-05:00',
    '11/1/2026 1:30:00 AM',
    'Sun, Nov 1 2026 1:30 AM',
  ],
  [
    '2026-12-31T18:30:00.000Z',
    'Asia/Kolkata',
    '2027-01-01T00:00:00+05:30',
    '1/1/2027 12:00:00 AM',
    'Fri, Jan 1 2027 12:00 AM',
  ],
  [
    '2026-07-04T14:30:05.000Z',
    'America/St_Johns',
    '2026-07-04T12:00:05-02:30',
    '7/4/2026 12:00:05 PM',
    'Sat, Jul 4 2026 12:00 PM',
  ],
  [
    '2026-01-15T13:00:00.000Z',
    'Australia/Lord_Howe',
    '2026-01-16T00:00:00+11:00',
    '1/16/2026 12:00:00 AM',
    'Fri, Jan 16 2026 12:00 AM',
  ],
  [
    '1969-12-31T23:59:59.999Z',
    'UTC',
    '1969-12-31T23:59:59+00:00',
    '12/31/1969 11:59:59 PM',
    'Wed, Dec 31 1969 11:59 PM',
  ],
  [
    '1970-01-01T00:00:00.000Z',
    'Africa/Monrovia',
    '1969-12-31T23:15:30-00:44:30',
    '12/31/1969 11:15:30 PM',
    'Wed, Dec 31 1969 11:15 PM',
  ],
])('%s in %s', (utc, zone, local, usStyle, friendly) => {
  const at = Date.parse(utc);
  expect(toUtc(at)).toBe(utc.replace(/\.\d+Z/, 'Z'));
  expect(toLocal(at, zone)).toBe(local);
  expect(toLocalDate(at, zone)).toBe(local.slice(0, 10));
  expect(toUsStyle(at, zone)).toBe(usStyle);
  expect(toFriendly(at, zone)).toBe(friendly);
});
