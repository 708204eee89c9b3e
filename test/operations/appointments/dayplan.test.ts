import { beforeEach, describe, expect, test } from 'vitest';
import { readRevision, writeRevision } from '../../../lib/domain/appointments/plan-revision.ts';
import { listCalendarDays, privateTimeChanges } from '../../../lib/store/calendars.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import { CROSSING, type CrossTown, DAY, NORTH, SOUTH, at, crossTown, planIn } from '../../support/day-plans.ts';
import { expectFailure } from '../../support/failed.ts';
import type { TestAnswer } from '../../support/stack/stack.ts';
import { wrongs } from '../../support/oracles/calendar-checker.ts';
import { putSettings } from '../../support/settings.ts';
import { slotIn, weekdays } from '../../support/scheduling.ts';
import { drainEvents, testTable } from '../../support/stack/stack.ts';

/** A failure with its code, and a part of its message. */
function expectRefusal(answer: TestAnswer, status: number, code: string, message: string | RegExp = ''): void {
  expectFailure(answer, status);
  expect(answer.body['Code']).toBe(code);
  expect(answer.body['Message']).toMatch(message);
}

let company: CrossTown;
beforeEach(async () => {
  company = await crossTown();
});

const visit = async (id: number) => slotIn(await company.call('appointments/find', { AppointmentId: id }));
const timeOf = async (id: number): Promise<string> => (await visit(id)).DateTime.slice(0, 16);
const times = () => Promise.all(company.visits.map(timeOf));
const BOOKED = ['09:00', '11:00', '13:00', '15:00'].map(at);

const plan = (more: object = {}, key = company.key) =>
  company.call('appointments/dayplan', { Date: DAY, ...more }, { key });
const apply = (Revision: string, more: object = {}) => plan({ Apply: true, Revision, ...more });

/** What is wrong with the calendar and the derived items, read beside the code under test. */
async function wrong(): Promise<unknown[]> {
  const span = { from: DAY, through: '2035-03-24' };
  const findings: unknown[] = [];
  await checkTable(testTable(), openScan(), {
    accounts: [company.accountId],
    repair: false,
    now: () => new Date(),
    onFinding: (finding) => findings.push(finding),
  });
  return [...(await wrongs(testTable(), company.accountId, span)), ...findings];
}

const cancel = async (AppointmentId: number): Promise<void> => {
  const [CancelReasonId] = await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Rain' }]);
  expect((await company.call('appointments/cancel', { AppointmentId, CancelReasonId })).status).toBe(200);
};

test('a plan drives less, and changes nothing until it is applied; then it is made as it was shown', async () => {
  const proposed = await company.plan();
  expect([proposed.DriveMinutesBefore, proposed.DriveMinutesAfter, proposed.Moves]).toEqual([188, 94, 2]);
  expect(await times()).toEqual(BOOKED);
  const applied = planIn(await apply(proposed.Revision));
  expect([applied.IsApplied, applied.DriveMinutesAfter, applied.Revision]).toEqual([true, 94, '']);
  expect(applied.Agents[0]?.After).toEqual(proposed.Agents[0]?.After);
  for (const { AppointmentId, DateTime } of proposed.Agents[0]?.After ?? [])
    expect(await timeOf(AppointmentId)).toBe(DateTime.slice(0, 16));
  expect(await company.plan()).toMatchObject({ Moves: 0, Revision: '' });
  expect(await wrong()).toEqual([]);
});

test('Apply without a Revision makes the plan of now', async () => {
  const applied = await company.plan({ Apply: true });
  expect(applied).toMatchObject({ IsApplied: true, DriveMinutesAfter: 94 });
  expect(await times()).toEqual(['09:00', '15:00', '13:00', '16:00'].map(at));
  expect(await company.plan({ Apply: true })).toMatchObject({ IsApplied: false, Moves: 0, Undo: '' });
});

test('of several applies at once of the same plan one succeeds; the others are 409 and name what moved', async () => {
  const { Revision } = await company.plan();
  const answers = await Promise.all([1, 2, 3, 4].map(() => apply(Revision)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409))
    expect(answer.body['Message']).toMatch(
      /^The day has changed since it was planned: appointment \d+ was changed, and is at .*\. Plan it again\.$/,
    );
  expect(await wrong()).toEqual([]);
});

describe('a plan that is out of date is 409, names the visit, and moves nothing:', () => {
  const outdated = async (Revision: string, message: string): Promise<void> => {
    const before = await times();
    expectRefusal(await apply(Revision), 409, 'wrong_state', message);
    expect(await times()).toEqual(before);
  };

  test('a visit was canceled', async () => {
    const { Revision } = await company.plan();
    await cancel(company.visits[0] ?? 0);
    await outdated(Revision, `appointment ${company.visits[0]} was canceled`);
  });

  test('a visit was moved', async () => {
    const { Revision } = await company.plan();
    const [AppointmentId] = company.visits;
    await company.call('appointments/update', { AppointmentId, Slots: [{ DateTime: at('08:30') }] });
    await outdated(Revision, `appointment ${AppointmentId} was changed, and is at Mon, Mar 5 2035 8:30 AM`);
  });

  test('a visit was booked', async () => {
    const { Revision } = await company.plan();
    const booked = await company.visit('Ann', SOUTH, '16:00');
    await outdated(Revision, `appointment ${booked} was booked`);
  });

  test('its agent has other hours meanwhile', async () => {
    const { Revision } = await company.plan();
    const ServiceAgents = [{ Id: company.agents['Ann'], TimeSlots: weekdays({ Minutes: 360 }) }];
    const updated = await company.call('organizations/update', { OrganizationId: 1, ServiceAgents });
    expect(updated.status, updated.text).toBe(200);
    const answer = await apply(Revision);
    expectRefusal(answer, 409, 'outside_hours', /^Appointment \d+: .* is outside Ann's working hours/);
  });
});

describe('Undo', () => {
  test('goes back to the times before, and is itself undone by its own', async () => {
    const { Undo } = await company.plan({ Apply: true });
    const undone = planIn(await apply(Undo));
    expect(undone).toMatchObject({ IsApplied: true, DriveMinutesBefore: 94, DriveMinutesAfter: 188 });
    expect(await times()).toEqual(BOOKED);
    planIn(await apply(undone.Undo));
    expect(await times()).toEqual(['09:00', '15:00', '13:00', '16:00'].map(at));
    expect(await wrong()).toEqual([]);
  });

  test('is 409 once a moved visit has changed, where its former time is taken, and after an hour', async () => {
    const { Undo } = await company.plan({ Apply: true });
    const taken = await company.visit('Ann', NORTH, '11:00');
    expectRefusal(await apply(Undo), 409, 'slot_taken', `by appointment ${taken}`);
    await cancel(taken);
    const late = writeRevision({ ...(readRevision(Undo) as never as object), until: Date.now() - 1 } as never);
    expectRefusal(await apply(late), 409, 'wrong_state', 'an hour, which is over');
    const [, AppointmentId] = company.visits;
    await company.call('appointments/update', { AppointmentId, UpdateNote: 'Ring twice.' });
    expectRefusal(await apply(Undo), 409, 'wrong_state', `appointment ${AppointmentId} was changed`);
  });
});

describe('which visits move:', () => {
  const exact = async (): Promise<number[]> => {
    for (const id of company.visits) await cancel(id);
    const ids: number[] = [];
    for (const [zip, time] of CROSSING) ids.push(await company.visit('Ann', zip, time, { window: null }));
    return ids;
  };

  test('exact times that clients expect are kept, also across agents, unless MoveConfirmed', async () => {
    const ids = await exact();
    const kept = await company.plan();
    expect(kept.Moves).toBe(0);
    expect(kept.Agents[0]?.Before.map(({ Stays }) => Stays)).toEqual(
      ids.map(() => 'Its client expects it at this time.'),
    );
    const across = await company.plan({ AcrossAgents: true, Apply: true });
    expect(across.Moves).toBeGreaterThan(0);
    expect(await Promise.all(ids.map(timeOf))).toEqual(BOOKED);
    expect((await company.plan({ AcrossAgents: true, MoveConfirmed: true })).DriveMinutesAfter).toBeLessThanOrEqual(
      across.DriveMinutesAfter,
    );
  });

  test('MoveConfirmed moves exact times, each one event', async () => {
    const ids = await exact();
    await drainEvents();
    const seen = async () =>
      (await company.call('datasubscriber/fetch', { EventCount: 1000 })).body['Events'] as {
        Event: string;
        Id: number;
      }[];
    const before = (await seen()).length;
    const { Moves } = await company.plan({ MoveConfirmed: true, Apply: true });
    await drainEvents();
    const events = (await seen()).slice(before);
    expect(Moves).toBe(2);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).toContain('appointment.rescheduled');
    expect((await Promise.all(ids.map(timeOf))).filter((time, index) => time !== BOOKED[index])).toHaveLength(2);
  });

  test('a tentative visit moves; one of several agents, one that has begun, and held and private times stay', async () => {
    const [first, second, third, fourth] = company.visits as [number, number, number, number];
    const Ben = company.agents['Ben'] ?? 0;
    const update = (AppointmentId: number, more: object) =>
      company.call('appointments/update', { AppointmentId, ...more });
    await update(first, { Slots: [{ Status: 5, ArrivalFrom: null, ArrivalThrough: null }] });
    await update(second, { Slots: [{ AdditionalServiceAgents: [{ ServiceAgent: { Id: Ben } }] }] });
    await update(fourth, { UpdateActuals: true, ActualStart: at('15:00') });
    const held = await company.call('appointments/slotsearch', {
      ContactId: company.clients[SOUTH],
      ServiceName: 'Lawn care',
      Hold: 1,
      Slots: [{ DateTime: at('16:00'), ServiceAgentId: company.agents['Ann'] }],
    });
    expect(held.body['Holds'], held.text).toHaveLength(1);
    const store = accountStore(testTable(), company.accountId);
    const busy = { start: Date.parse(`${DAY}T19:15:00Z`), end: Date.parse(`${DAY}T19:30:00Z`) };
    const days = await listCalendarDays(store, 1, [{ agentId: company.agents['Ann'] ?? 0, ...busy }]);
    await testTable().commit(privateTimeChanges(store, 1, days, [{ calendarId: 'a', times: [busy] }]));
    const planned = await company.plan();
    const stays = new Map(planned.Agents[0]?.Before.map(({ AppointmentId, Stays }) => [AppointmentId, Stays]));
    expect([first, second, third, fourth].map((id) => stays.get(id))).toEqual([
      '',
      'It has several agents.',
      'It is outside the hours or the area of its agent, or in a private or held time.',
      'It has begun.',
    ]);
    for (const { DateTime } of planned.Agents[0]?.After ?? []) expect(DateTime.slice(0, 16) <= at('15:00')).toBe(true);
  });

  test('a visit of a series moves alone, and counts as moved', async () => {
    for (const id of company.visits.slice(1)) await cancel(id);
    const booked = await company.call('appointments/book', {
      ContactId: company.clients[SOUTH],
      ServiceId: company.services['Lawn care'],
      Repeat: 'weekly',
      Count: 3,
      Slots: [{ DateTime: at('11:00'), ServiceAgentId: company.agents['Ann'] }],
    });
    const series = slotIn(booked).AppointmentId;
    await company.visit('Ann', NORTH, '13:00');
    const { Moves } = await company.plan({ MoveConfirmed: true, Apply: true });
    expect(Moves).toBeGreaterThan(0);
    expect((await visit(series)).SeriesId).toBe(series);
    await drainEvents();
    expect(await wrong()).toEqual([]);
  });
});

describe('Queue', () => {
  const queue = async (zip: string, QueueDate = DAY, more: object = {}): Promise<number> => {
    const ServiceId = company.services['Lawn care'];
    const answer = await company.call('appointments/queue', {
      ContactId: company.clients[zip],
      ServiceId,
      QueueDate,
      ...more,
    });
    expect(answer.status, answer.text).toBe(200);
    return Number(answer.body['AppointmentId']);
  };

  test('places the visits that are due in gaps, books them as book does, and Undo queues them again', async () => {
    const [due, earlier, later, long] = [
      await queue(SOUTH),
      await queue(NORTH, '2035-02-26'),
      await queue(NORTH, '2035-03-06'),
      await queue(NORTH, DAY, { Duration: '10h' }),
    ];
    const planned = await company.plan({ Queue: true });
    expect(planned.Waiting.map(({ AppointmentId, Why }) => [AppointmentId, Why])).toEqual([
      [long, 'No gap between the visits is long enough for it and its drives.'],
    ]);
    const applied = planIn(await apply(planned.Revision));
    expect(applied.Agents[0]?.After).toEqual(planned.Agents[0]?.After);
    for (const id of [due, earlier]) expect(await visit(id)).toMatchObject({ Status: 1, Duration: 60 });
    expect((await visit(later)).Status).toBe(0);
    expect(await wrong()).toEqual([]);
    planIn(await apply(applied.Undo));
    for (const id of [due, earlier]) expect((await visit(id)).Status).toBe(0);
    expect(await times()).toEqual(BOOKED);
    expect(await wrong()).toEqual([]);
  });
});

test('a plan moves what fits in a transaction, and names the agents who are left; they are planned in calls of their own', async () => {
  const names = ['Ann', 'Ben', 'Cal', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal'];
  company = await crossTown({
    agents: names.map((Name) => ({ Name, TimeSlots: weekdays({ StartMinute: 360, Minutes: 840 }) })),
  });
  // Seven visits a day and agent, in the order in which hardly any can stay at its time.
  const hours = ['06:30', '08:30', '10:30', '12:30', '14:30', '16:30', '18:30'];
  for (const name of names.slice(1))
    for (const [index, time] of hours.entries())
      await company.visit(name, index % 2 ? SOUTH : NORTH, time, { window: ['06:00', '20:00'] });
  const planned = await company.plan();
  expect(planned.Agents.filter(({ Why }) => Why).length).toBeGreaterThan(0);
  let rest = planned;
  for (let calls = 0; rest.Moves; calls++) {
    expect(calls).toBeLessThan(8);
    expect(planIn(await apply(rest.Revision)).IsApplied).toBe(true);
    rest = await company.plan();
  }
  expect(rest.Agents.map(({ Why }) => Why)).toEqual(names.map(() => ''));
  expect(rest.DriveMinutesAfter).toBeLessThan(planned.DriveMinutesBefore / 2);
});

describe('who may plan:', () => {
  test('roles that may read see a plan; only those that may write apply it; service agents do neither', async () => {
    const { Revision } = await company.plan();
    const readOnly = await company.newKey({ role: 'ReadOnly' });
    expect((await plan({}, readOnly)).status).toBe(200);
    expectRefusal(await plan({ Apply: true, Revision }, readOnly), 403, 'role_forbidden');
    const ofAnn = await company.newKey({
      role: 'ServiceAgent',
      agentId: company.agents['Ann'] ?? 0,
      organizationId: 1,
    });
    expectRefusal(await plan({}, ofAnn), 403, 'agent_forbidden');
    expect((await plan({ Apply: true, Revision }, await company.newKey({ role: 'Office' }))).status).toBe(200);
  });

  test('a key of one organization plans that one alone, and a Revision is of one organization and day', async () => {
    const { Revision } = await company.plan();
    const other = await company.call('organizations/create', { Name: 'Peoria', Timezone: 'America/Chicago' });
    const OrganizationId = Number((other.body['Organization'] as { Id: number } | undefined)?.Id ?? 2);
    const own = await company.newKey({ role: 'Office', organizationId: 1 });
    expectRefusal(await plan({ OrganizationId }, own), 403, 'organization_forbidden');
    const foreign = await company.newKey({ role: 'Office', organizationId: OrganizationId });
    expect(planIn(await plan({}, foreign))).toMatchObject({ OrganizationId, Agents: [] });
    expectRefusal(await plan({ Apply: true, Revision }, foreign), 400, 'invalid_request', 'is of organization 1');
    expectRefusal(await plan({ Agents: [company.agents['Ann']] }, foreign), 404, 'not_found');
    expectRefusal(await apply(Revision, { Date: '2035-03-06' }), 400, 'invalid_request', `is of ${DAY}`);
  });

  test('a Revision that names a visit of another account or organization moves nothing', async () => {
    const stranger = await crossTown();
    const { Revision } = await company.plan();
    const made = readRevision(Revision);
    if (!made) throw new Error('no revision');
    const moves = [{ appointmentId: 900, start: Date.parse(`${DAY}T15:00:00Z`), agentId: 1 }];
    const crafted = writeRevision({ ...made, versions: new Map([...made.versions, [900, 1]]), moves });
    expectRefusal(await apply(crafted), 409, 'wrong_state', 'appointment 900 is gone');
    expect((await stranger.plan()).Moves).toBe(2);
    // A key of another organization of the account learns nothing of the visit either.
    const other = await company.call('organizations/create', { Name: 'Peoria', Timezone: 'America/Chicago' });
    const organizationId = Number((other.body['Organization'] as { Id: number } | undefined)?.Id ?? 2);
    const key = await company.newKey({ role: 'Office', organizationId });
    const foreign = writeRevision({
      ...made,
      organizationId,
      agentIds: [],
      versions: new Map([[company.visits[0] ?? 0, 9]]),
      moves: [],
    });
    expectRefusal(
      await plan({ Apply: true, Revision: foreign }, key),
      409,
      'wrong_state',
      `appointment ${company.visits[0]} is gone`,
    );
  });
});

test('the answer to a wrong call names the field', async () => {
  expectRefusal(await plan({ Date: 'soon' }), 400, 'invalid_request', 'Date');
  expectRefusal(await plan({ Revision: 'p1' }), 400, 'invalid_request', 'Apply');
  for (const Revision of ['p1', 'x', `p1~1~${DAY}~0~1~1.1~1.1`, '~'.repeat(20)])
    expectRefusal(await apply(Revision), 400, 'invalid_request', 'Revision');
  expectRefusal(await plan({ Agents: Array.from({ length: 31 }, (_, index) => index + 1) }), 400, 'invalid_request');
});
