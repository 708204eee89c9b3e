import { planReminders } from '../../domain/messages/plan.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { queryAppointments } from '../../store/appointments.ts';
import { writeDelayedMessages } from '../../store/events/delayed-messages.ts';
import { type UpcomingWork, triggerKey, upcomingKey } from '../../store/events/message-plans.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import type { StoreWriter } from '../../store/store.ts';

/** Visits are read by weeks, so that a run reads only the next ones, however many an account has. */
const WEEK = 7 * DAY;
const AHEAD = 2 * 365 * DAY;
const PAGE = 200;
/** What is left of a run is enough for another week. */
const RESERVED = 10 * SECOND;

/**
 * Plans the reminders of visits that were booked before messages, or these reminders, were turned on, for two years
 * ahead. Continues in another run before the deadline. Writes at once. Safe to repeat: the same reminder of the same
 * visit has one entry.
 */
export async function planUpcoming(
  store: StoreWriter,
  { from, until }: UpcomingWork,
  { now, deadline }: BatchOptions,
): Promise<void> {
  for (let week = from; week < until; week += WEEK) {
    if (Date.now() > deadline - RESERVED) {
      const message = upcomingKey(store, { from: week, until });
      return writeDelayedMessages(store.table, [{ queue: 'outbox', message, at: now.getTime() }]);
    }
    await planWeek(store, week, now);
  }
}

/** All the work of one account from now on. */
export const upcomingFrom = (now: Date): UpcomingWork => ({ from: now.getTime(), until: now.getTime() + AHEAD });

async function planWeek(store: StoreWriter, from: number, now: Date): Promise<void> {
  const span = { from, through: from + WEEK - 1 };
  for (let skip = 0; ; skip += PAGE) {
    const { appointments } = await queryAppointments(store, { date: span, updated: {}, skip, take: PAGE }, now);
    await writeReminders(store, appointments, now);
    if (appointments.length < PAGE) return;
  }
}

async function writeReminders(store: StoreWriter, visits: readonly AppointmentRecord[], now: Date): Promise<void> {
  const organizations = new Set(visits.map(({ OrganizationId }) => OrganizationId));
  const settings = new Map(
    await Promise.all([...organizations].map(async (id) => [id, await findMessageSettings(store, id)] as const)),
  );
  const planned = visits.flatMap((visit) => {
    const own = settings.get(visit.OrganizationId);
    return own?.isOn ? planReminders(visit, now.getTime(), own) : [];
  });
  const messages = planned.map((each) => ({ queue: 'outbox' as const, message: triggerKey(store, each), at: each.at }));
  await writeDelayedMessages(store.table, messages);
}
