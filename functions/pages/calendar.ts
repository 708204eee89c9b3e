import { createHash } from 'node:crypto';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { FEED_FILE } from '../../lib/domain/client-pages.ts';
import { visitsFeed } from '../../lib/pages/visits-feed.ts';
import { loadCalendarFeed } from '../../lib/workflows/pages/calendar-feed.ts';
import type { Page, PageCall } from './page.ts';

/** Programs read the answer: it asks for nothing, and a person who opens it learns what to do. */
const dead = (): PageAnswer => ({
  status: 404,
  body: 'This calendar has ended, or its address was revoked. Ask the office for a new address.\n',
  type: 'text/plain; charset=utf-8',
});

/** Whether a calendar has this version already (RFC 9110, 13.1.2). */
const isKnown = ({ event }: PageCall, tag: string): boolean =>
  (event.headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');

async function show(call: PageCall): Promise<PageAnswer> {
  const loaded = await loadCalendarFeed(call.context);
  if (!loaded) return dead();
  const { view, country } = loaded;
  const { wording } = call.frame({ country, preferencesLink: '', overviewLink: '' });
  const body = visitsFeed(wording, view);
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache' };
  const type = 'text/calendar; charset=utf-8';
  if (isKnown(call, tag)) return { status: 304, body: '', type, headers };
  return {
    status: 200,
    body,
    type,
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${FEED_FILE}"` },
  };
}

/** The feed of visits of a service agent or an organization, which calendars read again and again. */
export const calendar: Page = {
  show: (call) => (call.file === undefined || call.file === FEED_FILE ? show(call) : Promise.resolve(undefined)),
  send: () => Promise.resolve(undefined),
};
