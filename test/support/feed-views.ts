import { feedPeriod } from '../../lib/domain/calendar-feed.ts';
import type { FeedView, FeedVisit } from '../../lib/pages/visits-feed.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import { NOW } from './page-views.ts';

/** A visit whose texts are all the same. */
export const feedVisitOf = (text: string): FeedVisit => ({
  uid: 'visit-a-1@example.com',
  version: 3,
  changed: NOW - HOUR,
  start: NOW + 24 * HOUR,
  end: NOW + 25 * HOUR,
  state: 'scheduled',
  service: text,
  client: text,
  phones: [text, text],
  address: text,
  arrival: { start: NOW + 23 * HOUR, end: NOW + 24 * HOUR + 30 * MINUTE },
  agents: [{ name: text, start: NOW + 24 * HOUR, end: NOW + 25 * HOUR }],
  notes: text,
});

/** A feed with one visit, whose texts are all the same. */
export const feedViewOf = (text: string, visits = [feedVisitOf(text)]): FeedView => ({
  company: { name: text, email: text },
  agent: undefined,
  zone: 'America/New_York',
  period: feedPeriod(new Date(NOW)),
  visits,
  isCut: false,
});
