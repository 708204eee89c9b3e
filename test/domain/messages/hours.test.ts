import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { textMoment, zoneOfContact } from '../../../lib/domain/messages/hours.ts';
import { loadPostalData } from '../../../lib/domain/postal/localities.ts';

const NEW_YORK = 'America/New_York';

describe('when a text may be sent', () => {
  test.each([
    ['at noon, at once', '2026-03-06T12:00-05:00', '2026-03-06T12:00-05:00'],
    ['at 8:00, at once', '2026-03-06T08:00-05:00', '2026-03-06T08:00-05:00'],
    ['before 8:00, at 8:00', '2026-03-06T07:59:59.999-05:00', '2026-03-06T08:00-05:00'],
    ['just before 21:00, at once', '2026-03-06T20:59:59.999-05:00', '2026-03-06T20:59:59.999-05:00'],
    ['at 21:00, the next day', '2026-03-06T21:00-05:00', '2026-03-07T08:00-05:00'],
    ['in the night before clocks go forward', '2026-03-07T22:00-05:00', '2026-03-08T08:00-04:00'],
    ['in the night that is an hour shorter', '2026-03-08T01:30-05:00', '2026-03-08T08:00-04:00'],
    ['in the night before clocks go back', '2026-10-31T22:00-04:00', '2026-11-01T08:00-05:00'],
    ['in the night that is an hour longer', '2026-11-01T01:30-04:00', '2026-11-01T08:00-05:00'],
  ])('%s', (_, due, moment) => {
    expect(textMoment(Date.parse(due), NEW_YORK)).toBe(Date.parse(moment));
  });

  const ZONES = [
    NEW_YORK,
    'America/Los_Angeles',
    'America/Phoenix',
    'America/St_Johns',
    'America/Havana',
    'America/Santiago',
    'Europe/Berlin',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'UTC',
  ];

  /** The same by the calendar of another implementation, from the clock's reading. */
  function expected(at: number, zone: string): number {
    const due = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    if (due.hour >= 8 && due.hour < 21) return at;
    const day = due.toPlainDate().add({ days: due.hour < 8 ? 0 : 1 });
    return day.toZonedDateTime({ timeZone: zone, plainTime: '08:00' }).epochMilliseconds;
  }

  test('is never outside of 8:00 to 21:00, and never later than needed', () => {
    const moments = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2036-01-01') });
    let waiting = 0;
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), (at, zone) => {
        const moment = textMoment(at, zone);
        waiting += Number(moment > at);
        expect(moment).toBe(expected(at, zone));
        expect(textMoment(moment, zone)).toBe(moment);
      }),
      { numRuns: 3_000, seed: 44 },
    );
    expect(waiting).toBeGreaterThan(500);
  });
});

describe('the zone of a contact', () => {
  const company = { Country: 'US', Timezone: NEW_YORK };
  test.each([
    ['that of its postal code', { Zip: '90210', Country: '' }, company, 'America/Los_Angeles'],
    ['that of a longer one', { Zip: '90210-1234', Country: 'USA' }, company, 'America/Los_Angeles'],
    ["the organization's without a postal code", { Zip: '', Country: '' }, company, NEW_YORK],
    ["the organization's where nobody is sure", { Zip: '83542', Country: '' }, company, NEW_YORK],
    ["the organization's for one that does not exist", { Zip: '00001', Country: '' }, company, NEW_YORK],
    ["the organization's in another country", { Zip: '90210', Country: 'Germany' }, company, NEW_YORK],
    [
      "the organization's where it works in another country",
      { Zip: '90402', Country: '' },
      { Country: 'DE', Timezone: 'Europe/Berlin' },
      'Europe/Berlin',
    ],
    [
      'that of its postal code in the United States, of a company of Canada',
      { Zip: '90210', Country: 'us' },
      { Country: 'CA', Timezone: 'America/Toronto' },
      'America/Los_Angeles',
    ],
  ])('is %s', async (_, contact, organization, zone) => {
    expect(zoneOfContact(contact, organization, await loadPostalData())).toBe(zone);
  });
});
