import { FeedError } from '../../domain/private-events/feed-error.ts';
import { readFeed } from '../../domain/private-events/read-feed.ts';
import type { Interval } from '../../domain/scheduling/calendar.ts';
import type { CalendarState } from '../../entities/agent-calendars.ts';
import { isVisitUid } from '../../pages/visit-calendar.ts';
import { SECOND } from '../../shared/time/time.ts';
import type { FetchedText } from '../../shared/web/fetch-public.ts';
import { isTimeOver, withinTime } from '../../shared/within-time.ts';

/** Reads the text of an address; never throws. */
export type FetchCalendar = (address: string, headers: Readonly<Record<string, string>>) => Promise<FetchedText>;

type ReadTimes =
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'read'; readonly times: readonly Interval[]; readonly etag: string; readonly modified: string };

interface Reading {
  /** The state whose times the days have; `undefined` reads the calendar whatever its version is. */
  readonly known: CalendarState | undefined;
  readonly zone: string;
  readonly window: Interval;
  readonly account: string;
}

/** The CPU time that one calendar may take. 5 MB take 3 seconds. */
const MAX_READING = 12 * SECOND;

/** Longer ones are no version, but a way to fill the table. */
const MAX_VERSION = 200;
const versionOf = (header: string | undefined): string => (header && header.length <= MAX_VERSION ? header : '');

/** Asks for a calendar, and reads its busy times if it is another one than is known. */
export async function readCalendar(
  fetch: FetchCalendar,
  address: string,
  { known, zone, window, account }: Reading,
): Promise<ReadTimes> {
  const fetched = await fetch(address, {
    accept: 'text/calendar, */*;q=0.1',
    ...(known?.ETag ? { 'if-none-match': known.ETag } : {}),
    ...(known?.Modified ? { 'if-modified-since': known.Modified } : {}),
  });
  if (fetched.kind === 'failed') return { kind: 'failed', reason: fetched.error };
  const { status, text, headers } = fetched;
  if (status === 304 && known) return { kind: 'unchanged' };
  if (status !== 200) return { kind: 'failed', reason: `The host answered ${status}.` };
  try {
    const isVisit = (uid: string) => isVisitUid(uid, account);
    const times = withinTime(MAX_READING, () => readFeed(text, { zone, window, isVisit }));
    return { kind: 'read', times, etag: versionOf(headers.etag), modified: versionOf(headers['last-modified']) };
  } catch (error) {
    if (error instanceof FeedError) return { kind: 'failed', reason: error.message };
    if (isTimeOver(error)) return { kind: 'failed', reason: 'The calendar takes too long to read.' };
    throw error;
  }
}
