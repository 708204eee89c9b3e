import { calendarAddress } from '../pages/icalendar.ts';
import { type CalendarEvent, type CalendarMethod, visitCalendar } from '../pages/visit-calendar.ts';
import type { Attachment, MessageView } from './view.ts';

const METHODS: Readonly<Partial<Record<MessageView['kind'], 'REQUEST' | 'CANCEL'>>> = {
  VisitBooked: 'REQUEST',
  VisitConfirm: 'REQUEST',
  VisitMoved: 'REQUEST',
  VisitCanceled: 'CANCEL',
};

/**
 * The calendar file of a message. A request or cancellation is about one event, from an organizer to an attendee (RFC
 * 5546, 3.2.2 and 3.2.5): the visits of a series, and those of a company without an e-mail address, are published
 * instead, and a calendar knows them by their UIDs.
 */
export function calendarFile({ kind, company, visits, now, to, contactName }: MessageView): Attachment | undefined {
  const wanted = METHODS[kind];
  if (!wanted || visits.length === 0) return undefined;
  const isPublished = visits.length > 1 || !calendarAddress(company.email) || !calendarAddress(to);
  const method: CalendarMethod = isPublished
    ? { method: 'PUBLISH' }
    : { method: wanted, attendee: { name: contactName, email: to } };
  const events = visits.map(({ through, isCanceled, isTentative, ...visit }): CalendarEvent => ({
    ...visit,
    company,
    arrivalThrough: through,
    state: isCanceled || wanted === 'CANCEL' ? 'canceled' : isTentative ? 'tentative' : 'booked',
  }));
  return {
    filename: visits.length > 1 ? 'visits.ics' : 'visit.ics',
    contentType: `text/calendar; method=${method.method}; charset=utf-8`,
    content: visitCalendar(events, { now, ...method }),
  };
}
