import fc from 'fast-check';
import ical, { type VEvent } from 'node-ical';
import { describe, expect, it, test } from 'vitest';
import { readFeed } from '../../../lib/domain/private-events/read-feed.ts';
import { HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { calendarFile, event } from '../../support/calendar-feeds.ts';

const NEW_YORK = 'America/New_York';
const window = { start: Date.parse('2027-03-01T05:00Z'), end: Date.parse('2027-04-01T04:00Z') };
const isVisit = (uid: string) => uid.startsWith('visit-a1b2-');
const read = (file: string, more: Partial<Parameters<typeof readFeed>[1]> = {}): string[] =>
  readFeed(file, { zone: NEW_YORK, window, isVisit, ...more }).map(
    ({ start, end }) => `${new Date(start).toISOString().slice(5, 16)} ${(end - start) / MINUTE}`,
  );
const readEvent = (...lines: readonly string[]): string[] => read(calendarFile(event(...lines)));

describe('when an event is busy', () => {
  const at = (from: string, until: string) => [`DTSTART;TZID=${NEW_YORK}:${from}`, `DTEND;TZID=${NEW_YORK}:${until}`];
  const meeting = at('20270309T090000', '20270309T100000');

  test.each([
    ['a time in a zone', meeting, ['03-09T14:00 60']],
    ['a time in UTC', ['DTSTART:20270309T140000Z', 'DTEND:20270309T150000Z'], ['03-09T14:00 60']],
    [
      'a time without a zone, in that of the company',
      ['DTSTART:20270309T090000', 'DURATION:PT45M'],
      ['03-09T14:00 45'],
    ],
    ['a time in another zone', ['DTSTART;TZID=Europe/Berlin:20270309T090000', 'DURATION:PT1H'], ['03-09T08:00 60']],
    [
      'an end in another zone',
      ['DTSTART;TZID=Europe/Berlin:20270309T150000', 'DTEND:20270309T160000Z'],
      ['03-09T14:00 120'],
    ],
    [
      'a TZID with a prefix',
      ['DTSTART;TZID=/citadel.org/20260101_1/Europe/Berlin:20270309T090000', 'DURATION:PT1H'],
      ['03-09T08:00 60'],
    ],
    [
      'a TZID that nobody knows, in the zone of the company',
      ['DTSTART;TZID=Nowhere Time:20270309T090000', 'DURATION:PT1H'],
      ['03-09T14:00 60'],
    ],
    ['a whole day in the zone of the company', ['DTSTART;VALUE=DATE:20270309'], ['03-09T05:00 1440']],
    [
      'days across a change of the clocks',
      ['DTSTART;VALUE=DATE:20270313', 'DTEND;VALUE=DATE:20270315'],
      ['03-13T05:00 2820'],
    ],
    [
      'a whole day that ends on itself',
      ['DTSTART;VALUE=DATE:20270309', 'DTEND;VALUE=DATE:20270309'],
      ['03-09T05:00 1440'],
    ],
    [
      'a night in which clocks change, to its end on the clock',
      at('20270313T220000', '20270314T060000'),
      ['03-14T03:00 420'],
    ],
    ['a time that clocks skip, with the offset before', at('20270314T023000', '20270314T043000'), ['03-14T07:30 60']],
    ['tentative', [...meeting, 'STATUS:TENTATIVE'], ['03-09T14:00 60']],
    ['out of office', [...meeting, 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'], ['03-09T14:00 60']],
    ['canceled: not', [...meeting, 'STATUS:CANCELLED'], []],
    ['transparent: not', [...meeting, 'TRANSP:TRANSPARENT'], []],
    ['free in Outlook: not', [...meeting, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'], []],
    ['without an end: not', ['DTSTART:20270309T140000Z'], []],
    ['without a start: not', ['DURATION:PT1H'], []],
    ['of a visit of the company: not', ['UID:visit-a1b2-17@api.example.com', ...meeting], []],
    ['before and after the window: not', at('20270201T090000', '20270201T100000'), []],
    ['across the beginning of the window: from there', at('20270227T090000', '20270302T090000'), ['03-01T05:00 1980']],
  ])('%s', (_, lines, times) => {
    expect(readEvent(...lines)).toEqual(times);
  });

  it('is one time where events overlap or touch', () => {
    const second = event(...at('20270309T093000', '20270309T110000'));
    const third = event(...at('20270309T110000', '20270309T120000'));
    expect(read(calendarFile(event(...meeting), second, third))).toEqual(['03-09T14:00 180']);
  });
});

describe('repeated events', () => {
  const standup = ['UID:s', `DTSTART;TZID=${NEW_YORK}:20150302T090000`, `DTEND;TZID=${NEW_YORK}:20150302T093000`];
  const mondays = ['03-01T14:00 30', '03-08T14:00 30', '03-15T13:00 30', '03-22T13:00 30', '03-29T13:00 30'];

  it('stay at their time on the clock when clocks change', () => {
    expect(readEvent(...standup, 'RRULE:FREQ=WEEKLY;BYDAY=MO')).toEqual(mondays);
  });

  it('end with UNTIL, a moment or a day, and with COUNT', () => {
    expect(readEvent(...standup, 'RRULE:FREQ=WEEKLY;UNTIL=20270315T130000Z')).toEqual(mondays.slice(0, 3));
    expect(readEvent(...standup, 'RRULE:FREQ=WEEKLY;UNTIL=20270315T125959Z')).toEqual(mondays.slice(0, 2));
    expect(readEvent(...standup, 'RRULE:FREQ=WEEKLY;UNTIL=20270315')).toEqual(mondays.slice(0, 3));
    expect(readEvent(...standup, 'RRULE:FREQ=WEEKLY;COUNT=628')).toEqual(mondays.slice(0, 2));
  });

  it('leave out EXDATE in any form, and have RDATE in addition', () => {
    const rule = 'RRULE:FREQ=WEEKLY';
    const rest = mondays.filter((each) => each !== '03-15T13:00 30');
    for (const exdate of [
      `EXDATE;TZID=${NEW_YORK}:20270315T090000`,
      'EXDATE:20270315T130000Z',
      'EXDATE;VALUE=DATE:20270315',
    ])
      expect(readEvent(...standup, rule, exdate)).toEqual(rest);
    const two = `EXDATE;TZID=${NEW_YORK}:20270301T090000,20270308T090000`;
    expect(readEvent(...standup, rule, two)).toEqual(mondays.slice(2));
    const period = 'RDATE;VALUE=PERIOD:20270317T120000Z/PT2H';
    expect(readEvent(...standup, `RDATE;TZID=${NEW_YORK}:20270316T090000`, period)).toEqual([
      '03-16T13:00 30',
      '03-17T12:00 120',
    ]);
  });

  it('are moved, shortened, freed and canceled one by one', () => {
    const changed = (id: string, ...lines: readonly string[]) =>
      event('UID:s', `RECURRENCE-ID;TZID=${NEW_YORK}:${id}T090000`, ...lines);
    const file = calendarFile(
      event(...standup, 'RRULE:FREQ=WEEKLY'),
      changed('20270301', 'DTSTART:20270302T200000Z', 'DTEND:20270302T203000Z'),
      changed('20270308', 'DTSTART:20270308T140000Z', 'DTEND:20270308T141000Z'),
      changed('20270315', 'DTSTART:20270315T130000Z', 'DTEND:20270315T133000Z', 'TRANSP:TRANSPARENT'),
      changed('20270322', 'DTSTART:20270322T130000Z', 'DTEND:20270322T133000Z', 'STATUS:CANCELLED'),
    );
    expect(read(file)).toEqual(['03-02T20:00 30', '03-08T14:00 10', '03-29T13:00 30']);
  });

  it('of a whole day are left out by a date or a time on it', () => {
    const days = ['DTSTART;VALUE=DATE:20270306', 'RRULE:FREQ=WEEKLY'];
    expect(readEvent(...days, 'EXDATE;VALUE=DATE:20270313', `EXDATE;TZID=${NEW_YORK}:20270320T000000`)).toEqual([
      '03-06T05:00 1440',
      '03-27T04:00 1440',
    ]);
  });
});

describe('files as calendars really write them', () => {
  it('Google: its zone, an all-day birthday that is free, folded lines and an alarm', () => {
    const google = calendarFile(
      'CALSCALE:GREGORIAN\nMETHOD:PUBLISH\nX-WR-CALNAME:ann@example.com\nX-WR-TIMEZONE:America/New_York',
      'BEGIN:VTIMEZONE\nTZID:America/New_York\nX-LIC-LOCATION:America/New_York',
      'BEGIN:DAYLIGHT\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nTZNAME:EDT\nDTSTART:19700308T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\nEND:DAYLIGHT',
      'BEGIN:STANDARD\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nTZNAME:EST\nDTSTART:19701101T020000\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\nEND:STANDARD\nEND:VTIMEZONE',
      event('DTSTART;VALUE=DATE:20270309', 'DTEND;VALUE=DATE:20270310', 'RRULE:FREQ=YEARLY', 'TRANSP:TRANSPARENT'),
      event(
        `DTSTART;TZID=${NEW_YORK}:20270310T083000`,
        `DTEND;TZID=${NEW_YORK}:20270310T09\n 1500`,
        'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN="Lee, Ann";X-NUM-GUESTS=0:mailto:ann@example.com',
        'STATUS:CONFIRMED\nTRANSP:OPAQUE',
        'BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-P0DT0H10M0S\nDURATION:PT5M\nREPEAT:2\nEND:VALARM',
      ),
    );
    expect(read(google)).toEqual(['03-10T13:30 45']);
  });

  it('Outlook: Windows names with their zones, all-day events with times, and a series with an exception', () => {
    const outlook = calendarFile(
      'METHOD:PUBLISH\nX-WR-CALNAME:Calendar',
      'BEGIN:VTIMEZONE\nTZID:W. Europe Standard Time',
      'BEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD',
      'BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE',
      event(
        'UID:040000008200E00074C5B7101A82E008',
        'RRULE:FREQ=WEEKLY;UNTIL=20270430T080000Z;INTERVAL=1;BYDAY=TU;WKST=MO',
        'EXDATE;TZID=W. Europe Standard Time:20270309T100000',
        'DTSTART;TZID=W. Europe Standard Time:20270105T100000',
        'DTEND;TZID=W. Europe Standard Time:20270105T110000',
        'CLASS:PUBLIC\nPRIORITY:5\nTRANSP:OPAQUE\nSTATUS:CONFIRMED\nX-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      ),
      event(
        'UID:040000008200E00074C5B7101A82E008',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20270316T100000',
        'DTSTART;TZID=W. Europe Standard Time:20270317T140000',
        'DTEND;TZID=W. Europe Standard Time:20270317T150000',
        'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
      ),
      event(
        'DTSTART;TZID=W. Europe Standard Time:20270311T000000',
        'DTEND;TZID=W. Europe Standard Time:20270312T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\nX-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE',
      ),
    );
    // 10:00 in Berlin is 9:00Z, and 8:00Z from March 28.
    expect(read(outlook)).toEqual(['03-02T09:00 60', '03-17T13:00 60', '03-23T09:00 60', '03-30T08:00 60']);
  });

  it('Apple: a travel time, a location with quotes, and a day without DTEND', () => {
    const apple = calendarFile(
      event(
        `DTSTART;TZID=${NEW_YORK}:20270309T090000`,
        `DTEND;TZID=${NEW_YORK}:20270309T100000`,
        'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 Main St\\nDenver";X-TITLE="A: \\"B\\"":geo:39.7,-104.9',
      ),
      event('DTSTART;VALUE=DATE:20270311', 'X-APPLE-DEFAULT-ALARM:TRUE'),
    );
    expect(read(apple)).toEqual(['03-09T14:00 60', '03-11T05:00 1440']);
  });

  it('with line feeds alone, a byte order mark, lower case and broken lines of others', () => {
    const file = calendarFile(event('DTSTART:20270309T140000Z', 'DTEND:20270309T150000Z')).replaceAll('\r\n', '\n');
    expect(read(`\uFEFF${file}`)).toEqual(['03-09T14:00 60']);
    expect(read(file.replace('DTSTART', 'dtstart').replace('SUMMARY:', 'SUMMARY '))).toEqual(['03-09T14:00 60']);
  });
});

describe('what is refused', () => {
  const refused = (file: string): string => {
    try {
      return read(file).join();
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    ['a page', '<html><body>Sign in</body></html>', 'The answer is not an iCalendar file.'],
    ['nothing', '', 'The answer is not an iCalendar file.'],
    ['a file that ends early', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1', 'The iCalendar file cannot be read.'],
    [
      'a rule of each second',
      calendarFile(event('DTSTART:20200101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY')),
      'The calendar has an event that repeats too often.',
    ],
    [
      'a rule of each minute',
      calendarFile(event('DTSTART:20270301T050000Z', 'DURATION:PT1S', 'RRULE:FREQ=MINUTELY')),
      'The calendar has an event that repeats too often.',
    ],
    [
      '100 times a day',
      calendarFile(
        ...Array.from({ length: 101 }, (_, index) =>
          event(
            `DTSTART:20270309T1${String(index % 10)}${String(Math.floor(index / 10) * 5).padStart(2, '0')}00Z`,
            'DURATION:PT1M',
          ),
        ),
      ),
      'The calendar has more than 100 separate busy times on a day.',
    ],
    [
      '100,000 events',
      calendarFile(...Array.from({ length: 20_001 }, () => 'BEGIN:VEVENT\nEND:VEVENT')),
      'The calendar has more than 20000 events.',
    ],
  ])('%s', (_, file, message) => {
    expect(refused(file)).toBe(message);
  });

  it('never quotes what is in the file', () => {
    const secret = 'Dentist';
    const files = [
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:${secret}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
      `BEGIN:VCALENDAR\r\nRRULE:${secret}\r\nEND:VTODO`,
    ];
    for (const file of files) expect(refused(file)).not.toContain(secret);
  });
});

describe('beside node-ical', () => {
  // It leaves out an event whose time clocks skip, which RFC 5545 reads with the offset before.
  const hour = fc.integer({ min: 3, max: 23 }).map((number) => String(number).padStart(2, '0'));
  const day = fc.integer({ min: 1, max: 28 }).map((number) => String(number).padStart(2, '0'));
  const rule = fc.constantFrom(
    '',
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=WEEKLY;BYDAY=TU,TH',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=MONTHLY;BYMONTHDAY=15;COUNT=30',
  );
  const zone = fc.constantFrom(NEW_YORK, 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles');

  it('random events in zones have the same starts', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: 2025, max: 2026 }), day, hour, rule, (tzid, year, date, at, repeats) => {
        const lines = [
          `DTSTART;TZID=${tzid}:${year}03${date}T${at}3000`,
          'DURATION:PT20M',
          ...(repeats ? [`RRULE:${repeats}`] : []),
        ];
        const file = calendarFile(event(...lines));
        const own = readFeed(file, { zone: NEW_YORK, window, isVisit }).map(({ start }) => start);
        const found = Object.values(ical.sync.parseICS(file)).find((each) => each?.type === 'VEVENT');
        const theirs = ical
          .expandRecurringEvent(found as VEvent, { from: new Date(window.start), to: new Date(window.end) })
          .map(({ start }) => start.getTime())
          .filter((start) => start >= window.start && start < window.end);
        expect(own).toEqual(theirs);
      }),
      { numRuns: 100 },
    );
  });

  it('reads 5 MB within the time that one calendar may take', () => {
    const description = `DESCRIPTION:${'x'.repeat(250)}`;
    const many = Array.from({ length: 12_000 }, (_, index) =>
      event(
        `DTSTART:202703${String(1 + (index % 28)).padStart(2, '0')}T1${index % 10}0000Z`,
        'DURATION:PT30M',
        description,
      ),
    );
    const file = calendarFile(...many);
    expect(file.length).toBeGreaterThan(4_500_000);
    expect(
      readFeed(file, { zone: NEW_YORK, window: { ...window, end: window.end + HOUR }, isVisit }).length,
    ).toBeLessThan(300);
  });
});
