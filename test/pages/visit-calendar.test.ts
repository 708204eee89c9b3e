import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarButtons } from '../../lib/pages/calendar-buttons.ts';
import { wordingOf } from '../../lib/pages/language.ts';
import { visitCalendar } from '../../lib/pages/visit-calendar.ts';
import type { VisitState, VisitView } from '../../lib/pages/visit-page.ts';
import { visitViewOf } from '../support/page-views.ts';

/** What Outlook and other calendars need, to take the file of a changed visit as a change of it (RFC 5545, RFC 5546). */

const NOW = Date.parse('2027-03-01T09:30:15.250Z');
const START = Date.parse('2027-03-14T13:00:00Z');

const visit = visitViewOf('Lawn care');
const company = { ...visit.company, name: 'Evergreen; "Lawn", & Söhne', email: 'office@evergreen.example' };

const fileOf = (more: Partial<VisitView> = {}): string =>
  visitCalendar([{ ...visit, company, start: START, duration: 90, uid: 'visit-a-1@example.com', ...more }], {
    method: 'PUBLISH',
    now: NOW,
  });

/** The content lines of a file, unfolded. */
const linesOf = (file: string): string[] => file.replaceAll('\r\n ', '').split('\r\n').slice(0, -1);

const valueOf = (file: string, name: string): string[] =>
  linesOf(file).flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1)] : []));

test('a calendar file has what publishing an event needs, each once, in UTC', () => {
  const lines = linesOf(fileOf());
  expect(lines.slice(0, 5)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Field Service//Client pages//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
  ]);
  expect(lines.slice(-2)).toEqual(['END:VEVENT', 'END:VCALENDAR']);
  expect(lines).toContain('UID:visit-a-1@example.com');
  expect(lines).toContain('DTSTAMP:20270301T093015Z');
  expect(lines).toContain('DTSTART:20270314T130000Z');
  expect(lines).toContain('DTEND:20270314T143000Z');
  expect(lines).toContain(`ORGANIZER;CN="Evergreen;  Lawn , & Söhne":mailto:office@evergreen.example`);
  expect(lines.some((line) => line.startsWith('ATTENDEE'))).toBe(false);
  const names = lines.map((line) => line.split(/[:;]/)[0]).filter((name) => !/^(?:BEGIN|END)$/.test(name ?? ''));
  expect(new Set(names).size).toBe(names.length);
});

test.each<[VisitState, string]>([
  ['booked', 'CONFIRMED'],
  ['tentative', 'TENTATIVE'],
  ['canceled', 'CANCELLED'],
])('a later version of a visit that is %s has the UID of before, a higher SEQUENCE and is %s', (state, status) => {
  const [before, after] = [fileOf(), fileOf({ state, version: visit.version + 1 })];
  expect(valueOf(after, 'UID')).toEqual(valueOf(before, 'UID'));
  expect(Number(valueOf(after, 'SEQUENCE')[0])).toBeGreaterThan(Number(valueOf(before, 'SEQUENCE')[0]));
  expect(valueOf(after, 'STATUS')).toEqual([status]);
});

test('whatever its texts are, a file has lines of at most 75 bytes that end with CRLF, and its texts come back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const file = fileOf({ service: text, address: text, company: { ...company, name: text, email: text } });
      const raw = file.split('\r\n');
      expect(raw.pop()).toBe('');
      for (const line of raw) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(line).not.toMatch(/[\r\n]/);
      }
      expect(linesOf(file).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
      const [location = ''] = valueOf(file, 'LOCATION');
      const shown = location.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
      expect(shown).toBe(text.replaceAll(/\r\n|\r/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ''));
    }),
    { numRuns: 40 },
  );
});

test('a calendar file has the phone of the company and the page of the visit, and so have the buttons', () => {
  const of = {
    agent: 'Ann',
    company: { ...company, phone: '(804) 555-0100' },
    link: 'https://api.example.com/c/visit/x',
  };
  expect(valueOf(fileOf(of), 'DESCRIPTION')).toEqual([`Ann\\n(804) 555-0100\\n${of.link}`]);
  expect(valueOf(fileOf(of), 'URL')).toEqual([of.link]);
  const { text } = calendarButtons(wordingOf('en', 'US'), {
    ...visit,
    ...of,
    start: START,
    duration: 90,
    address: '5 Elm',
  });
  const [google, outlook, file] = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  expect(Object.fromEntries(new URL(google ?? '').searchParams)).toEqual({
    action: 'TEMPLATE',
    text: `Lawn care, ${company.name}`,
    dates: '20270314T130000Z/20270314T143000Z',
    details: `(804) 555-0100\n${of.link}`,
    location: '5 Elm',
  });
  expect(new URL(outlook ?? '').searchParams.get('enddt')).toBe('2027-03-14T14:30:00.000Z');
  expect(file).toBe(`${of.link}/visit.ics?lang=en`);
});
