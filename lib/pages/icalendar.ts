import type { Company } from './frame.ts';
import { calendarMoment } from './calendar-buttons.ts';
import { isShownTwice, offsetAt } from '../shared/time/time.ts';

/** Writes calendars (RFC 5545): the events of files for clients and of feeds, and their properties. */

const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r?\n|\r/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed();

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

const toText = (lines: readonly string[]): string => lines.map((line) => `${foldLine(line)}\r\n`).join('');

/** A property whose value is a text; none if it is empty. */
export const textProperty = (name: string, ...texts: readonly string[]): string[] =>
  texts.some(Boolean) ? [`${name}:${texts.map(escapeText).join(',')}`] : [];

const quoted = (text: string): string => `"${text.replaceAll(/["\p{Cc}]/gu, ' ')}"`;

/** The address of a person in a calendar; `undefined` if an e-mail cannot be sent there. */
export const calendarAddress = (email: string): string | undefined =>
  /^[^\s@"<>,;:]+@[^\s@"<>,;:]+$/.test(email) ? `mailto:${email}` : undefined;

/** A person or company in an event: `ORGANIZER;CN="Evergreen":mailto:office@example.com`. */
export const personProperty = (
  name: 'ORGANIZER' | 'ATTENDEE',
  { name: commonName, email }: { readonly name: string; readonly email: string },
  parameters: readonly string[] = [],
): string =>
  `${[name, `CN=${quoted(commonName)}`, ...parameters].join(';')}:${calendarAddress(email) ?? 'invalid:nomail'}`;

export type EventStatus = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

/** An event of a calendar. Moments are milliseconds since 1970. */
export interface CalendarEntry {
  readonly uid: string;
  readonly stamp: number;
  readonly changed: number | null;
  readonly sequence: number;
  /** Required of every method by RFC 5546. */
  readonly organizer: Pick<Company, 'name' | 'email'>;
  readonly start: number;
  readonly end: number;
  /** The zone in which its times are written; `undefined` for UTC. */
  readonly zone?: string | undefined;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly status: EventStatus;
  /** Further properties. */
  readonly attendees?: readonly string[];
  readonly url?: string;
  readonly categories?: readonly string[];
  /** Whether it takes its reader's time; not stated if absent. */
  readonly isBusy?: boolean;
}

/**
 * Start and end of an event, in its zone. Calendars read what clocks show twice differently, so an event that begins or
 * ends then is written in UTC.
 */
function timeProperties({ start, end, zone }: Pick<CalendarEntry, 'start' | 'end' | 'zone'>): string[] {
  if (!zone || [start, end].some((at) => isShownTwice(at, zone)))
    return [`DTSTART:${calendarMoment(start)}`, `DTEND:${calendarMoment(end)}`];
  const local = (at: number) => calendarMoment(at + offsetAt(at, zone)).slice(0, -1);
  return [`DTSTART;TZID=${zone}:${local(start)}`, `DTEND;TZID=${zone}:${local(end)}`];
}

const eventLines = (entry: CalendarEntry): string[] => [
  'BEGIN:VEVENT',
  `UID:${entry.uid}`,
  `DTSTAMP:${calendarMoment(entry.stamp)}`,
  ...(entry.changed === null ? [] : [`LAST-MODIFIED:${calendarMoment(entry.changed)}`]),
  `SEQUENCE:${entry.sequence}`,
  personProperty('ORGANIZER', entry.organizer),
  ...(entry.attendees ?? []),
  ...timeProperties(entry),
  ...textProperty('SUMMARY', entry.summary),
  ...textProperty('DESCRIPTION', entry.description),
  ...(entry.url === undefined ? [] : [`URL:${entry.url}`]),
  ...textProperty('LOCATION', entry.location),
  ...textProperty('CATEGORIES', ...(entry.categories ?? [])),
  `STATUS:${entry.status}`,
  ...(entry.isBusy === undefined ? [] : [`TRANSP:${entry.isBusy ? 'OPAQUE' : 'TRANSPARENT'}`]),
  'END:VEVENT',
];

/** An event as it stands in a calendar. */
export const eventText = (entry: CalendarEntry): string => toText(eventLines(entry));

/** A calendar with these properties and components, and events as `eventText` writes them. */
export const calendarText = (lines: readonly string[], events: readonly string[]): string =>
  [
    toText(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Field Service//Client pages//EN', ...lines]),
    ...events,
    toText(['END:VCALENDAR']),
  ].join('');
