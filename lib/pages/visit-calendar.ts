import { MINUTE } from '../shared/time/time.ts';
import type { CalendarVisit } from './calendar-buttons.ts';
import { type CalendarEntry, type EventStatus, calendarText, eventText, personProperty } from './icalendar.ts';
import type { VisitState } from './visit-page.ts';

/** A visit as a client's calendar sees it. */
export interface CalendarEvent extends CalendarVisit {
  readonly uid: string;
  readonly state: VisitState;
  /** The first name; `""` if there is no agent. */
  readonly agent: string;
  /** How many times something that the client sees has changed, and when it last did; `null` if unknown. */
  readonly version: number;
  readonly changed: number | null;
}

/** The UID of a visit on its page, in its messages and in feeds: a calendar takes all as the same event. */
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
function attendees(of: CalendarMethod, state: VisitState): string[] {
  if (of.method === 'PUBLISH') return [];
  const { name, email } = of.attendee;
  const answer = state === 'tentative' ? 'NEEDS-ACTION' : 'ACCEPTED';
  const parameters = ['ROLE=REQ-PARTICIPANT', `PARTSTAT=${answer}`, 'RSVP=FALSE'];
  return [personProperty('ATTENDEE', { name: name || email, email }, parameters)];
}

const eventStatus = (state: VisitState): EventStatus =>
  state === 'canceled' ? 'CANCELLED' : state === 'tentative' ? 'TENTATIVE' : 'CONFIRMED';

function toEntry(event: CalendarEvent, method: CalendarMethod, now: number): CalendarEntry {
  const { company, start, duration, arrivalThrough, service, agent, address, link, state, version, changed } = event;
  return {
    uid: event.uid,
    stamp: now,
    changed,
    sequence: version,
    organizer: company,
    attendees: attendees(method, state),
    start,
    end: arrivalThrough ?? start + duration * MINUTE,
    summary: [service, company.name].filter(Boolean).join(', '),
    description: [agent, company.phone, link].filter(Boolean).join('\n'),
    url: link,
    location: address,
    status: eventStatus(state),
  };
}

/**
 * Visits as a calendar file (RFC 5545). A calendar that already has a visit treats a later file as an update: the UID
 * is the same, and SEQUENCE is higher. A visit with an arrival window shows the window, and does not change while the
 * visit moves within it. Only published files may have several visits: a request or cancellation is about one UID.
 */
export const visitCalendar = (
  events: readonly CalendarEvent[],
  { now, ...method }: { readonly now: number } & CalendarMethod,
): string =>
  calendarText(
    [`METHOD:${method.method}`],
    events.map((event) => eventText(toEntry(event, method, now))),
  );
