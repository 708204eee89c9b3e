import type { MessageRecord, MessageState } from '../../entities/messages.ts';
import { stampsOf } from './stamps.ts';

/** `current`: a message says or will say what is so now. `never`: no message about the visit was sent. */
export type AnnouncedState = 'current' | 'never' | 'other';

/** A waiting message about another state is suppressed when its turn comes. A failed one may have been sent. */
const UNSENT: ReadonlySet<MessageState> = new Set(['Waiting', 'Suppressed']);

/**
 * What a client has learned of a visit from messages, newest first. A visit that was booked while e-mails were
 * throttled, and moved before the message left, is `never`: its client gets one message, about the new time.
 */
export function announcedState(messages: readonly MessageRecord[], visit: number, stamp: string): AnnouncedState {
  const about = messages.flatMap(({ Kind, State, ...message }) => {
    const stampThen = Kind.startsWith('Visit') ? stampsOf(message).get(visit) : undefined;
    return stampThen === undefined ? [] : [{ State, stampThen }];
  });
  const latest = about.find(({ State }) => State !== 'Suppressed' && State !== 'Failed');
  if (latest?.stampThen === stamp) return 'current';
  return about.length > 0 && about.every(({ State }) => UNSENT.has(State)) ? 'never' : 'other';
}
