import type { EventKind } from '../domain/event-kinds.ts';
import type { EventPayload } from '../resources/events.ts';
import { toLocal, toLocalDate } from '../shared/time/time.ts';

/** The older feed has one event for a completed visit, a new invoice, and the deletion of a record it covers. */
const flatKinds: ReadonlySet<string> = new Set<EventKind>([
  'appointment.completed',
  'invoice.created',
  'appointment.deleted',
  'invoice.deleted',
  'proposal.deleted',
  'contact.deleted',
]);

export const isFlatKind = (kind: string): boolean => flatKinds.has(kind);

/** `2026-11-5`: the older feed writes dates without leading zeros. */
const toPlainDate = (utc: string | null, zone: string): string | null =>
  utc && toLocalDate(Date.parse(utc), zone).replaceAll('-0', '-');

/** `2026-11-05 09:30:00` in the zone. */
const toPlainTime = (utc: string | null, zone: string): string | null =>
  utc && toLocal(Date.parse(utc), zone).slice(0, 19).replace('T', ' ');

/** An event as readers of the older feed get it, with that feed's dates in the organization's zone. */
export const flatPayload = (payload: EventPayload, zone: string): EventPayload => ({
  ...payload,
  TransactionDate: toPlainDate(payload.TransactionDate, zone),
  CustomerSince: toPlainDate(payload.CustomerSince, zone),
  CreatedAt: toPlainTime(payload.CreatedAt, zone),
});
