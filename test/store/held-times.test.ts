import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimeReservation } from '../../lib/domain/appointments/calendar.ts';
import { calendarDays } from '../../lib/domain/scheduling/calendar.ts';
import { type CalendarDays, holdTimeChanges, timeReservationChanges, toJobs } from '../../lib/store/calendars.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2035, 2, 5, 20);
const STORE = { account: 'a' };
const ORGANIZATION = 1;
const SPAN = { start: FROM - 24 * HOUR, end: FROM + 48 * HOUR };

/** The days of an agent as a table holds them: it refuses a change of another version. */
class Days {
  days: CalendarDays = new Map(
    calendarDays(SPAN).map((day) => [`1#${day}`, { agentId: 1, day, jobs: [], version: 0 }] as const),
  );

  commit(changes: readonly Change[]): void {
    const next = new Map(this.days);
    for (const change of changes) {
      if (!('put' in change)) continue;
      const { Day: day, Jobs: jobs, V: version } = change.put as unknown as { Day: string; Jobs: never[]; V: number };
      if (version !== (this.days.get(`1#${day}`)?.version ?? 0) + 1)
        throw new Error(`${day} is put in version ${version}`);
      next.set(`1#${day}`, { agentId: 1, day, jobs, version });
    }
    this.days = next;
  }
}

const start = fc.integer({ min: 0, max: 11 });
const minutes = fc.constantFrom(0, 30, 90);
const buffers = fc.option(fc.record({ before: minutes, after: minutes }), { nil: undefined });
const command = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), start, buffers, minutes: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ kind: fc.constant('book' as const), start, buffers, hold: fc.nat(5) }),
  fc.record({ kind: fc.constant('release' as const), hold: fc.nat(5) }),
  fc.record({ kind: fc.constant('cancel' as const), appointment: fc.nat(5) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 400 }) }),
);

interface Time {
  readonly start: number;
  readonly end: number;
  readonly buffers?: { readonly before: number; readonly after: number };
}
const toTime = (half: number, kept?: Time['buffers']): Time => {
  const at = FROM + half * (HOUR / 2);
  return { start: at, end: at + HOUR, ...(kept && { buffers: kept }) };
};
/** What a visit takes with its buffers. */
const taking = ({ start: from, end, buffers: kept }: Time) =>
  [from - (kept?.before ?? 0) * 60_000, end + (kept?.after ?? 0) * 60_000] as const;
const overlap = (one: Time, other: Time) => taking(one)[0] < taking(other)[1] && taking(other)[0] < taking(one)[1];

test('whatever is held, booked, released and canceled, what takes time is the appointments and the holds of now', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const table = new Days();
      let now = new Date(Date.UTC(2035, 0, 1));
      let id = 0;
      const holds = new Map<string, Time & { readonly until: number }>();
      const booked = new Map<number, Time>();
      const alive = () => [...holds].filter(([, { until }]) => now.getTime() < until);
      const isFree = (time: Time, except = '') =>
        ![...booked.values()].some((other) => overlap(time, other)) &&
        !alive().some(([handle, other]) => handle !== except && overlap(time, other));
      for (const each of commands) {
        if (each.kind === 'wait') now = new Date(now.getTime() + each.seconds * 1000);
        if (each.kind === 'hold' && isFree(toTime(each.start, each.buffers))) {
          const hold = { ...toTime(each.start, each.buffers), until: now.getTime() + each.minutes * 60_000 };
          const handle = `h${++id}`;
          holds.set(handle, hold);
          const entry = { ...hold, handle, agentId: 1, position: null, key: 'k', place: 0 };
          table.commit(holdTimeChanges(STORE, ORGANIZATION, table.days, { holds: [entry], before: [], now }));
        }
        if (each.kind === 'release') {
          const handle = [...holds.keys()][each.hold] ?? 'none';
          const before = [holds.get(handle)].flatMap((hold) => (hold ? { ...hold, agentId: 1 } : []));
          holds.delete(handle);
          table.commit(
            holdTimeChanges(STORE, ORGANIZATION, table.days, { holds: [], before, released: new Set([handle]), now }),
          );
        }
        if (each.kind === 'book') {
          const handle = [...holds.keys()][each.hold] ?? '';
          const time = toTime(each.start, each.buffers);
          if (!isFree(time, handle)) continue;
          booked.set(++id, time);
          holds.delete(handle);
          const after = [{ ...time, agentId: 1, position: null }];
          const released = new Set([handle]);
          const update = { appointmentId: id, before: [], after, watched: true, now, released };
          table.commit(timeReservationChanges(STORE, ORGANIZATION, table.days, update));
        }
        if (each.kind === 'cancel') {
          const appointmentId = [...booked.keys()][each.appointment] ?? 0;
          const before = [booked.get(appointmentId)].flatMap((time) =>
            time ? { ...time, agentId: 1, position: null } : [],
          );
          booked.delete(appointmentId);
          const update = { appointmentId, before, after: [], watched: false, now };
          table.commit(timeReservationChanges(STORE, ORGANIZATION, table.days, update));
        }
        const taken = toJobs(table.days, { now }).map((job) => `${job.appointmentId} ${job.start} ${job.end}`);
        const expected = [
          ...[...booked].map(([appointment, time]) => `${appointment} ${taking(time).join(' ')}`),
          ...alive().map(([, time]) => `0 ${taking(time).join(' ')}`),
        ];
        expect(taken.toSorted()).toEqual(expected.toSorted());
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('a day that only the buffers of a new time touch is put as it is, so that another call there finds it', () => {
  const table = new Days();
  const late = { start: Date.UTC(2035, 2, 5, 22), end: Date.UTC(2035, 2, 5, 23), agentId: 1, position: null };
  const visit = { ...late, buffers: { before: 0, after: 90 } };
  const now = new Date(Date.UTC(2035, 0, 1));
  const versions = () => [...table.days.values()].map(({ version }) => version);
  const change = (before: readonly TimeReservation[], after: readonly TimeReservation[]) =>
    table.commit(
      timeReservationChanges(STORE, ORGANIZATION, table.days, { appointmentId: 7, before, after, watched: false, now }),
    );
  change([], [visit]);
  expect(versions()).toEqual([0, 1, 1, 0]);
  change([visit], [visit]);
  expect(versions()).toEqual([0, 1, 1, 0]);
  change([visit], []);
  expect(versions()).toEqual([0, 2, 1, 0]);
  expect([...table.days.values()].flatMap(({ jobs }) => jobs)).toEqual([]);
});

/** Days that were read before a call reserved time there, and the changes of another call that go by them. */
describe('days that are older than the record of their times', () => {
  const now = new Date(Date.UTC(2035, 0, 1));
  const at = (half: number): TimeReservation => ({ ...toTime(half), agentId: 1, position: null });
  const [early, late] = [at(0), at(4)];
  const watched = false;
  /** What is required of the days; none of these changes puts one. */
  const required = (changes: readonly Change[]) =>
    changes.flatMap((change): readonly unknown[] => ('check' in change ? [[change.check.SK, change.if]] : [change]));
  const DAY = '2035-03-05#0000000001';
  const days = (...jobs: readonly TimeReservation[]) => {
    const table = new Days();
    if (jobs.length)
      table.commit(
        timeReservationChanges(STORE, ORGANIZATION, table.days, {
          appointmentId: 7,
          before: [],
          after: jobs,
          watched,
          now,
        }),
      );
    return table.days;
  };

  test('must not have changed where an appointment gives up its time', () => {
    const update = { appointmentId: 7, before: [early], after: [], watched, now };
    expect(required(timeReservationChanges(STORE, ORGANIZATION, days(), update))).toEqual([[DAY, 'absent']]);
  });

  test('must not have changed where they show the time to which an appointment is moved', () => {
    const update = { appointmentId: 7, before: [late], after: [early], watched, now };
    expect(required(timeReservationChanges(STORE, ORGANIZATION, days(early), update))).toEqual([
      [DAY, { equals: { V: 1 } }],
    ]);
  });

  test('must not have changed where a hold is released', () => {
    const update = { holds: [], before: [early], released: new Set(['h']), now };
    expect(required(holdTimeChanges(STORE, ORGANIZATION, days(), update))).toEqual([[DAY, 'absent']]);
  });

  test('are all others free to change', () => {
    const update = { appointmentId: 7, before: [early], after: [early], watched, now };
    expect(timeReservationChanges(STORE, ORGANIZATION, days(early), update)).toEqual([]);
  });
});
