import ical, { type VEvent } from 'node-ical';
import { expect, test } from 'vitest';
import { wordingOf } from '../../lib/pages/language.ts';
import { type FeedVisit, visitsFeed } from '../../lib/pages/visits-feed.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import { feedViewOf, feedVisitOf } from '../support/feed-views.ts';

/** What a feed says of visits, and how, read by a parser that is not ours. */

const wording = wordingOf('en', 'US');

const feedOf = (visits: readonly Partial<FeedVisit>[], more: object = {}): string =>
  visitsFeed(wording, {
    ...feedViewOf('Evergreen'),
    visits: visits.map((visit, index) => ({ ...feedVisitOf('Ana'), uid: `visit-${index}`, ...visit })),
    ...more,
  });

const eventsIn = (feed: string): VEvent[] =>
  Object.values(ical.sync.parseICS(feed)).filter((each): each is VEvent => each?.type === 'VEVENT');

test('a visit shows its window, its agents with times of their own, its state and notes', () => {
  const start = Date.parse('2027-03-15T14:00:00Z');
  const [event] = eventsIn(
    feedOf([
      {
        start,
        end: start + 90 * MINUTE,
        state: 'tentative',
        arrival: { start: start - HOUR, end: start + HOUR },
        agents: [
          { name: 'Ann', start, end: start + 90 * MINUTE },
          { name: 'Ben', start: start + HOUR, end: start + 90 * MINUTE },
        ],
        phones: ['217-555-0134'],
        notes: 'Gate 7',
      },
    ]),
  );
  expect(event?.description).toBe(
    [
      'Ana',
      '217-555-0134',
      'Arrival between 9:00 AM and 11:00 AM',
      'Agents: Ann, Ben (11:00 AM to 11:30 AM)',
      'Not confirmed yet',
      '',
      'Gate 7',
    ].join('\n'),
  );
  expect(event?.status).toBe('TENTATIVE');
});

test('times are local ones, and in UTC where clocks show them twice', () => {
  const moment = (text: string) => Date.parse(text);
  const feed = feedOf([
    { start: moment('2026-11-01T05:30:00Z'), end: moment('2026-11-01T07:30:00Z') },
    { start: moment('2026-11-01T06:30:00Z'), end: moment('2026-11-01T07:30:00Z') },
    { start: moment('2027-03-14T06:30:00Z'), end: moment('2027-03-16T07:30:00Z') },
  ]);
  const starts = feed.split('\r\n').filter((line) => /^DT(?:START|END)[^:]*:202[67]\d{4}T\d{6}Z?$/.test(line));
  expect(starts.filter((line) => !line.includes('T020000'))).toEqual([
    'DTSTART:20261101T053000Z',
    'DTEND:20261101T073000Z',
    'DTSTART:20261101T063000Z',
    'DTEND:20261101T073000Z',
    'DTSTART;TZID=America/New_York:20270314T013000',
    'DTEND;TZID=America/New_York:20270316T033000',
  ]);
  expect(eventsIn(feed).map(({ start }) => start.toISOString())).toEqual([
    '2026-11-01T05:30:00.000Z',
    '2026-11-01T06:30:00.000Z',
    '2027-03-14T06:30:00.000Z',
  ]);
});

test('a feed that leaves out visits says so, and is never larger than an answer may be', () => {
  const many = Array.from({ length: 450 }, () => ({ notes: 'Ñandú, 🌱; '.repeat(900) }));
  const feed = feedOf(many);
  expect(Buffer.byteLength(feed)).toBeLessThan(5_100_000);
  const shown = eventsIn(feed).length;
  expect(shown).toBeGreaterThan(100);
  const sentence = (count: number) =>
    `X-WR-CALDESC:This calendar shows ${count} visits. There are more\\, which it leaves `;
  expect(feed.replaceAll('\r\n ', '')).toContain(sentence(shown));
  expect(feedOf([{}], { isCut: true }).replaceAll('\r\n ', '')).toContain(sentence(1));
  expect(feedOf([{}])).not.toContain('X-WR-CALDESC');
});

test('a feed without a visit is a calendar of the agent, by its name', () => {
  const feed = feedOf([], { agent: 'Ann, Lee' });
  expect(feed).toContain('\r\nX-WR-CALNAME:Ann\\, Lee\\, Evergreen\r\n');
  expect(eventsIn(feed)).toEqual([]);
  expect(feed.endsWith('END:VTIMEZONE\r\nEND:VCALENDAR\r\n')).toBe(true);
});
