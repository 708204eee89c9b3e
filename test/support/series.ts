import { expect } from 'vitest';
import type { Appointment } from '../../lib/entities/appointments.ts';
import { findBookedSeries, findSoldSeries } from '../../lib/store/series.ts';
import { accountStore } from '../../lib/store/store.ts';
import { type Bookable, slotIn } from './scheduling.ts';
import { drainEvents, testTable } from './stack/stack.ts';

/** Every day, so that every date can be booked. */
const everyDay = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));
export const agentsOfEveryDay = ['Ann', 'Ben'].map((Name) => ({
  Name,
  Email: `${Name}@example.com`,
  TimeSlots: everyDay,
}));

/** All visits of the company's contact once the worker of its series is done, in the order of their times. */
export async function allVisits(company: Bookable): Promise<Appointment[]> {
  const made = await queried(company);
  const [booked, sold] = [made.map(({ SeriesId }) => SeriesId), made.map(({ ProposalId }) => ProposalId)];
  const store = accountStore(testTable(), company.accountId);
  const series = await Promise.all([
    ...[...new Set(booked)].map((id) => findBookedSeries(store, id)),
    ...[...new Set(sold)].map((id) => findSoldSeries(store, id)),
  ]);
  // A drain waits for what was written before it; the worker goes on from its own changes.
  return series.some((each) => each?.Left) ? allVisits(company) : made;
}

async function queried(company: Bookable): Promise<Appointment[]> {
  await drainEvents();
  const answer = await company.call('appointments/query', { ContactId: company.contact, Take: 500 });
  expect(answer.status, answer.text).toBe(200);
  const { Appointments } = answer.body as { Appointments: Appointment[] };
  return Appointments.toSorted((one, other) => Date.parse(one.DateTime) - Date.parse(other.DateTime));
}

/** Books the first visit of a series with Ann, and waits until the worker has booked the others. */
export async function bookSeries(company: Bookable, DateTime: string, repeat: object): Promise<Appointment[]> {
  const { AppointmentId } = slotIn(await company.book('Ann', DateTime, repeat));
  return (await allVisits(company)).filter(({ SeriesId }) => SeriesId === AppointmentId);
}
