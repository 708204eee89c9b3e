import fc from 'fast-check';
import ical from 'node-ical';
import { expect, test } from 'vitest';
import type { MessageKind } from '../../lib/entities/message-kinds.ts';
import { renderEmail } from '../../lib/messages/email.ts';
import type { MessageView } from '../../lib/messages/view.ts';
import { visitUid } from '../../lib/pages/visit-calendar.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { START, everyMessage, messageView, messageVisit, weeklyVisits } from '../support/message-views.ts';

/** Calendar files as a parser that is not ours reads them, against the tables of RFC 5546 (3.2). */

const HOUR = 3_600_000;

interface ReadEvent {
  readonly uid: string;
  readonly method: string;
  readonly sequence: number;
  readonly status: string;
  readonly start: Date;
  readonly end: Date;
  readonly dtstamp: Date;
  readonly summary: string;
  readonly location: string;
  readonly organizer: { readonly val: string; readonly params: { readonly CN: string } };
  readonly attendee?: { readonly val: string; readonly params: Readonly<Record<string, unknown>> };
}

function read(view: MessageView) {
  const { attachments } = renderEmail(view);
  expect(attachments).toHaveLength(1);
  const [file] = attachments;
  const { vcalendar, ...events } = ical.sync.parseICS(String(file?.content)) as unknown as Record<string, ReadEvent>;
  return { file, method: vcalendar?.method, events: Object.values(events) };
}

const one = (view: MessageView) => {
  const found = read(view);
  expect(found.events).toHaveLength(1);
  return { ...found, event: found.events[0] as ReadEvent };
};

test.each<[MessageKind, string, string, string]>([
  ['VisitBooked', 'REQUEST', 'CONFIRMED', 'ACCEPTED'],
  ['VisitConfirm', 'REQUEST', 'TENTATIVE', 'NEEDS-ACTION'],
  ['VisitMoved', 'REQUEST', 'CONFIRMED', 'ACCEPTED'],
  ['VisitCanceled', 'CANCEL', 'CANCELLED', 'ACCEPTED'],
])('%s has a calendar file of METHOD %s, from the company to the client', (kind, method, status, answer) => {
  const view = messageView(kind, 'es');
  const { file, event, method: read } = one(view);
  expect(file?.filename).toBe('visit.ics');
  expect(file?.contentType).toBe(`text/calendar; method=${method}; charset=utf-8`);
  expect(read).toBe(method);
  expect(event).toMatchObject({ uid: view.visits[0]?.uid, sequence: 3, status });
  expect(event.organizer.val).toBe('mailto:office@evergreen.example');
  expect(event.organizer.params.CN).toContain('Evergreen Lawn & Garden');
  expect(event.attendee?.val).toBe('mailto:ana@example.com');
  expect(event.attendee?.params).toMatchObject({ PARTSTAT: answer, RSVP: false, ROLE: 'REQ-PARTICIPANT' });
  expect(event.start.getTime()).toBe(START);
  expect(event.end.getTime()).toBe(START + 2 * HOUR);
  expect(event.dtstamp.getTime()).toBe(view.now);
  expect(event.summary).toBe('Lawn care, Evergreen Lawn & Garden');
  expect(event.location).toBe('12 Main St, Springfield, IL 62701');
  // Each once: calendars refuse a second one.
  for (const name of ['UID', 'DTSTAMP', 'SEQUENCE', 'ORGANIZER', 'ATTENDEE', 'METHOD'])
    expect(String(file?.content).match(new RegExp(`^${name}[;:]`, 'gm'))).toHaveLength(1);
});

test('other messages have no calendar file', () => {
  const withFile = everyMessage.filter(
    ([kind, language]) => renderEmail(messageView(kind, language)).attachments.length,
  );
  expect([...new Set(withFile.map(([kind]) => kind))]).toEqual([
    'VisitBooked',
    'VisitConfirm',
    'VisitMoved',
    'VisitCanceled',
  ]);
});

test('a visit that is moved and then canceled is one event, each time with a higher SEQUENCE', () => {
  const versions = (['VisitBooked', 'VisitMoved', 'VisitCanceled'] as const).map((kind, index) =>
    one(
      messageView(kind, 'en', {
        visits: [messageVisit({ version: index, start: START + index * HOUR, through: null })],
      }),
    ),
  );
  expect(new Set(versions.map(({ event }) => event.uid)).size).toBe(1);
  expect(versions.map(({ event }) => event.sequence)).toEqual([0, 1, 2]);
  expect(versions.map(({ event }) => event.end.getTime() - event.start.getTime())).toEqual(
    [1.5, 1.5, 1.5].map((each) => each * HOUR),
  );
});

test('a series is published in one file: a request would be about one UID', () => {
  const { file, method, events } = read(messageView('VisitBooked', 'en', { visits: weeklyVisits(52) }));
  expect(file?.filename).toBe('visits.ics');
  expect(method).toBe('PUBLISH');
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(52);
  expect(events.filter(({ attendee }) => attendee)).toEqual([]);
  const canceled = read(messageView('VisitCanceled', 'en', { visits: weeklyVisits(3) }));
  expect(canceled.events.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
});

test('without an address to answer to, a visit is published', () => {
  const view = messageView('VisitBooked', 'en');
  for (const more of [{ company: { ...view.company, email: '' } }, { to: '+12175550100' }]) {
    const { method, event, file } = one({ ...view, ...more });
    expect(method).toBe('PUBLISH');
    expect(event.attendee).toBeUndefined();
    expect(file?.contentType).toContain('method=PUBLISH');
  }
});

test('the UID of a visit is that of its page', () => {
  expect(visitUid('k7Qm', 412, 'https://api.example.com')).toBe('visit-k7Qm-412@api.example.com');
});

test('hostile texts add no line to a calendar file, and change neither organizer nor attendee', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' })), (text) => {
      const view = messageView('VisitBooked', 'en');
      const { file, event } = one({
        ...view,
        company: { ...view.company, name: text, phone: text },
        contactName: text,
        visits: [messageVisit({ service: text, agent: text, address: `x${text}` })],
      });
      const lines = String(file?.content).replaceAll('\r\n ', '').split('\r\n');
      expect(lines.filter((line) => /^(?:BEGIN|END|METHOD|ATTENDEE|ORGANIZER|UID)[;:]/.test(line))).toHaveLength(8);
      expect(event.attendee?.val).toBe('mailto:ana@example.com');
      expect(event.organizer.val).toBe('mailto:office@evergreen.example');
    }),
    { numRuns: 60 },
  );
});
