import { MINUTE } from '../shared/time/time.ts';
import { calendarMoment } from './calendar-buttons.ts';
import type { Company } from './frame.ts';
import type { VisitView } from './visit-page.ts';

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

/** The name of a visit in calendars: the same in its page's file and in e-mails. */
export const visitUid = (account: string, id: number, baseUrl: string): string =>
  `visit-${account}-${id}@${new URL(baseUrl).host}`;

/** The company as organizer, which RFC 5546 (3.2.1) requires of published events. */
function organizer({ name, email }: Company): string {
  const address = /^[^\s@"<>,;:]+@[^\s@"<>,;:]+$/.test(email) ? `mailto:${email}` : 'invalid:nomail';
  return `ORGANIZER;CN="${name.replaceAll(/["\p{Cc}]/gu, ' ')}":${address}`;
}

/**
 * The visit as a calendar file (RFC 5545). A calendar that already has the visit treats a later file as an update: the
 * UID is the same, and SEQUENCE is higher. A visit with an arrival window shows the window, and does not change while
 * the visit moves within it.
 */
export function visitCalendar(
  { company, start, duration, arrivalThrough, service, agent, address, link, state, version, changed }: VisitView,
  { uid, now }: { readonly uid: string; readonly now: number },
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Field Service//Client pages//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${calendarMoment(now)}`,
    ...(changed === null ? [] : [`LAST-MODIFIED:${calendarMoment(changed)}`]),
    `SEQUENCE:${version}`,
    organizer(company),
    `DTSTART:${calendarMoment(start)}`,
    `DTEND:${calendarMoment(arrivalThrough ?? start + duration * MINUTE)}`,
    `SUMMARY:${escapeCalendarText([service, company.name].filter(Boolean).join(', '))}`,
    `DESCRIPTION:${escapeCalendarText([agent, company.phone, link].filter(Boolean).join('\n'))}`,
    `URL:${link}`,
    ...(address ? [`LOCATION:${escapeCalendarText(address)}`] : []),
    `STATUS:${state === 'canceled' ? 'CANCELLED' : state === 'tentative' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
