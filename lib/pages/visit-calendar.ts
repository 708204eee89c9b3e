import { MINUTE } from '../shared/time/time.ts';
import { type CalendarVisit, calendarMoment } from './calendar-buttons.ts';
import type { Company } from './frame.ts';
import type { VisitState } from './visit-page.ts';

const escapeCalendarText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r?\n|\r/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');

/** Content lines have at most 75 bytes; a continuation line begins with a space (RFC 5545, 3.1). */
function foldLine(line: string): string {
  const parts = [''];
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 74) {
      parts.push('');
      bytes = 0;
    }
    parts[parts.length - 1] += character;
    bytes += size;
  }
  return parts.join('\r\n ');
}

/** The address of a person in a calendar; `undefined` if an e-mail cannot be sent there. */
export const calendarAddress = (email: string): string | undefined =>
  /^[^\s@"<>,;:]+@[^\s@"<>,;:]+$/.test(email) ? `mailto:${email}` : undefined;

const quoted = (text: string): string => `"${text.replaceAll(/["\p{Cc}]/gu, ' ')}"`;

/** The company as organizer, which RFC 5546 requires of every method. */
const organizer = ({ name, email }: Company): string =>
  `ORGANIZER;CN=${quoted(name)}:${calendarAddress(email) ?? 'invalid:nomail'}`;

/** A visit as calendars see it. */
export interface CalendarEvent extends CalendarVisit {
  readonly uid: string;
  readonly state: VisitState;
  /** The first name; `""` if there is no agent. */
  readonly agent: string;
  /** How many times something that the client sees has changed, and when it last did; `null` if unknown. */
  readonly version: number;
  readonly changed: number | null;
}

/** The UID of a visit on its page and in its messages: a calendar takes both as the same event. */
export const visitUid = (account: string, id: number, baseUrl: string): string =>
  `visit-${account}-${id}@${new URL(baseUrl).host}`;

/** Whether a UID is that of a visit of the account. */
export const isVisitUid = (uid: string, account: string): boolean =>
  uid.startsWith(`visit-${account}-`) && /^\d+@/.test(uid.slice(`visit-${account}-`.length));

/** What a file asks of a calendar (RFC 5546), and of whom. */
export type CalendarMethod =
  | { readonly method: 'PUBLISH' }
  | { readonly method: 'REQUEST' | 'CANCEL'; readonly attendee: { readonly name: string; readonly email: string } };

/** The client needs not answer; a visit that waits for a confirmation is confirmed on its page. */
function attendee(of: CalendarMethod, state: VisitState): string[] {
  if (of.method === 'PUBLISH') return [];
  const { name, email } = of.attendee;
  const answer = state === 'tentative' ? 'NEEDS-ACTION' : 'ACCEPTED';
  const address = calendarAddress(email) ?? 'invalid:nomail';
  return [`ATTENDEE;CN=${quoted(name || email)};ROLE=REQ-PARTICIPANT;PARTSTAT=${answer};RSVP=FALSE:${address}`];
}

function eventLines(event: CalendarEvent, method: CalendarMethod, now: number): string[] {
  const { company, start, duration, arrivalThrough, service, agent, address, link, state, version, changed } = event;
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${calendarMoment(now)}`,
    ...(changed === null ? [] : [`LAST-MODIFIED:${calendarMoment(changed)}`]),
    `SEQUENCE:${version}`,
    organizer(company),
    ...attendee(method, state),
    `DTSTART:${calendarMoment(start)}`,
    `DTEND:${calendarMoment(arrivalThrough ?? start + duration * MINUTE)}`,
    `SUMMARY:${escapeCalendarText([service, company.name].filter(Boolean).join(', '))}`,
    `DESCRIPTION:${escapeCalendarText([agent, company.phone, link].filter(Boolean).join('\n'))}`,
    `URL:${link}`,
    ...(address ? [`LOCATION:${escapeCalendarText(address)}`] : []),
    `STATUS:${state === 'canceled' ? 'CANCELLED' : state === 'tentative' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
}

/**
 * Visits as a calendar file (RFC 5545). A calendar that already has a visit treats a later file as an update: the UID
 * is the same, and SEQUENCE is higher. A visit with an arrival window shows the window, and does not change while the
 * visit moves within it. Only published files may have several visits: a request or cancellation is about one UID.
 */
export function visitCalendar(
  events: readonly CalendarEvent[],
  { now, ...method }: { readonly now: number } & CalendarMethod,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Field Service//Client pages//EN',
    `METHOD:${method.method}`,
    ...events.flatMap((event) => eventLines(event, method, now)),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
