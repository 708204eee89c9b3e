import type { Appointment } from '../../../lib/entities/appointments.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EventPayload } from '../../../lib/resources/events.ts';
import type { Task } from '../../../lib/entities/tasks.ts';
import { layout } from '../../../lib/store/keys.ts';
import { closeAssistants, connect, say } from '../../support/assistant.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import { putOrganizationSettings, putSettings } from '../../support/settings.ts';
import { agentsOfEveryDay, allVisits, bookSeries as bookSeriesOf } from '../../support/series.ts';
import { pngUri } from '../../support/signatures.ts';
import { testTable } from '../../support/stack/stack.ts';

let company: Bookable;
let reason: number;
beforeEach(async () => {
  company = await bookable({ agents: agentsOfEveryDay });
  [reason = 0] = await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Rain' }]);
});

async function ok(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const bookSeries = (DateTime: string, repeat: object) => bookSeriesOf(company, DateTime, repeat);
const visits = () => allVisits(company);
const visitsOf = async (series: number): Promise<Appointment[]> =>
  (await visits()).filter(({ SeriesId }) => SeriesId === series);

const starts = (of: readonly Appointment[]) => of.map(({ DateTime }) => DateTime.slice(0, 16));
const states = (of: readonly Appointment[]) => of.map(({ Status: status }) => status);
const idOf = (of: readonly Appointment[], place: number): number => of[place]?.AppointmentId ?? 0;

const move = (AppointmentId: number, DateTime: string, more: object = {}) =>
  ok('appointments/update', { AppointmentId, Scope: 'following', Slots: [{ DateTime }], ...more });
const cancel = (AppointmentId: number, more: object = {}) =>
  ok('appointments/cancel', { AppointmentId, CancelReasonId: reason, ...more });

const tasks = async (): Promise<string[]> =>
  ((await ok('task/query', { ContactId: company.contact }))['Tasks'] as Task[]).map(({ Description }) => Description);

/** The kinds of the events of visits, by id. */
async function kindsOf(id: number): Promise<string[]> {
  const { Events } = await ok('datasubscriber/fetch', { EventCount: 1000 });
  return (Events as { Payload: EventPayload }[])
    .filter(({ Payload }) => Payload.Id === id && Payload.Kind.startsWith('appointment.'))
    .map(({ Payload }) => Payload.Kind);
}

describe('a booking that repeats', () => {
  test('goes on beyond the horizon of keys, within which its first visit is', async () => {
    await putOrganizationSettings(company, { HorizonDays: 10, LimitKeys: true });
    const first = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const made = await bookSeries(first, { Repeat: 'weekly', Count: 4 });
    expect(states(made)).toEqual([1, 1, 1, 1]);
  });

  test('keeps its local time over both changes of the clocks', async () => {
    const made = await bookSeries('2035-03-04T09:00', { Repeat: 'weekly', Interval: 4, Count: 11 });
    expect(made.map(({ DateTime }) => DateTime.slice(10))).toEqual([
      'T09:00:00-06:00',
      ...Array.from({ length: 8 }, () => 'T09:00:00-05:00'),
      'T09:00:00-06:00',
      'T09:00:00-06:00',
    ]);
    expect(states(made)).toEqual(made.map(() => 1));
    expect(
      new Set(made.map(({ Total, ServiceAgentId, Duration }) => `${Total} ${ServiceAgentId} ${Duration}`)).size,
    ).toBe(1);
  });

  test('by months has the last day of shorter months, and its own day in the others', async () => {
    const made = await bookSeries('2035-01-31T10:00', { Repeat: 'monthly', Through: '2035-05-30' });
    expect(starts(made)).toEqual(['2035-01-31T10:00', '2035-02-28T10:00', '2035-03-31T10:00', '2035-04-30T10:00']);
  });

  test('without Repeat has the AutoCreateInterval of its service', async () => {
    await writeBook(company.accountId, { services: [{ Name: 'Filter', BaseDuration: 30, AutoCreateInterval: 90 }] });
    const answer = await company.book('Ann', '2035-01-01T10:00', { ServiceId: 0, ServiceName: 'Filter', Count: 3 });
    expect(answer.body['Message']).toBe('2 more visits are booked in the background.');
    expect(starts(await visits())).toEqual(['2035-01-01T10:00', '2035-04-01T10:00', '2035-06-30T10:00']);
  });

  test('queues a visit whose time is taken for its day, and a task tells the office', async () => {
    await company.book('Ann', '2035-05-08T09:30');
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 3 });
    expect(starts(made)).toEqual(['2035-05-01T09:00', '2035-05-08T00:00', '2035-05-15T09:00']);
    expect(states(made)).toEqual([1, 0, 1]);
    expect(await tasks()).toEqual([
      expect.stringMatching(/^1 visit of a series .*\nAppointment \d+ waits for 2035-05-08/),
    ]);
  });

  test('waits for a holiday that was entered a moment before, whatever the worker remembers', async () => {
    await bookSeries('2035-04-02T09:00', { Repeat: 'daily', Count: 2 });
    const update = layout.organization.key({ account: company.accountId, id: 1 });
    await testTable().update({ update, set: { Holidays: [{ Date: '2035-05-08', Name: 'Day off' }] }, add: { V: 1 } });
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 3 });
    expect(starts(made)).toEqual(['2035-05-01T09:00', '2035-05-08T00:00', '2035-05-15T09:00']);
  });

  test.each([
    [{ Repeat: 'weekly' }, 'Count', 'required'],
    [{ Count: 3 }, 'Repeat', 'required'],
    [{ Repeat: 'daily', Through: '2037-01-01' }, 'Through', 'range'],
    [{ Repeat: 'yearly', Through: '2035-12-31' }, 'Through', 'range'],
    [{ Repeat: 'weekly', Through: 'soon' }, 'Through', 'format'],
    [{ Repeat: 'weekly', Count: 1 }, 'Count', 'range'],
    [{ Repeat: 'hourly', Count: 3 }, 'Repeat', 'unknown_value'],
  ])('%j is 400 at %s', async (repeat, field, code) => {
    const answer = await company.book('Ann', '2035-05-01T09:00', repeat);
    expect([answer.status, (answer.body['Errors'] as object[])[0]]).toMatchObject([400, { Field: field, Code: code }]);
    expect(await visits()).toEqual([]);
  });
});

describe('a visit of a series with all that follow', () => {
  test('names visits that were moved behind it or in front of it alone', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 5 });
    const third = idOf(made, 2);
    await ok('appointments/update', { AppointmentId: third, Slots: [{ DateTime: '2035-06-15T09:00' }] });
    await ok('appointments/update', { AppointmentId: idOf(made, 4), Slots: [{ DateTime: '2035-05-10T09:00' }] });
    const message = (await move(idOf(made, 3), '2035-05-23T09:00'))['Message'];
    expect(message).toContain(`Appointment ${third} was moved behind this one alone, and stays.`);
    expect(message).toContain(`Appointment ${idOf(made, 4)} was moved in front of this one alone, and follows.`);
    expect((await cancel(idOf(made, 1), { Scope: 'following' }))['Message']).not.toContain('alone');
  });

  test('moves by a week, onto the times of each other', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 4 });
    const answer = await move(idOf(made, 1), '2035-05-15T09:00');
    expect(answer['Message']).toMatch(/^2 visits follow, and are moved in the background\./);
    const moved = await visits();
    expect(starts(moved)).toEqual(['2035-05-01T09:00', '2035-05-15T09:00', '2035-05-22T09:00', '2035-05-29T09:00']);
    await move(idOf(made, 0), '2035-04-24T09:00');
    expect(starts(await visits())).toEqual(
      ['2035-04-24', '2035-05-08', '2035-05-15', '2035-05-22'].map((day) => `${day}T09:00`),
    );
    expect(await tasks()).toEqual([]);
  });

  test('moves to another time and agent; one whose new time is taken stays, and a task says why', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 4 });
    await company.book('Ben', '2035-05-16T14:00');
    const [Ann = 0, Ben = 0] = [company.agents['Ann'], company.agents['Ben']];
    await move(idOf(made, 1), '2035-05-09T13:30', { Slots: [{ DateTime: '2035-05-09T13:30', ServiceAgentId: Ben }] });
    const moved = await visitsOf(idOf(made, 0));
    expect(starts(moved)).toEqual(['2035-05-01T09:00', '2035-05-09T13:30', '2035-05-15T09:00', '2035-05-23T13:30']);
    expect(moved.map(({ ServiceAgentId }) => ServiceAgentId)).toEqual([Ann, Ben, Ann, Ben]);
    expect(await tasks()).toEqual([
      expect.stringContaining(`Appointment ${idOf(made, 2)} stays at Tue, May 15 2035 9:00 AM`),
    ]);
    expect(await kindsOf(idOf(made, 3))).toEqual(['appointment.booked', 'appointment.rescheduled']);
    expect(await kindsOf(idOf(made, 2))).toEqual(['appointment.booked']);
  });

  test('is not moved at all where its own new time is taken', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 3 });
    await company.book('Ann', '2035-05-09T09:00');
    const request = { AppointmentId: idOf(made, 1), Scope: 'following', Slots: [{ DateTime: '2035-05-09T09:00' }] };
    expect((await company.call('appointments/update', request)).body['Code']).toBe('slot_taken');
    expect(starts(await visitsOf(idOf(made, 0)))).toEqual(starts(made));
  });

  test('of a month moves to the last days of shorter months', async () => {
    const made = await bookSeries('2035-01-15T10:00', { Repeat: 'monthly', Count: 4 });
    await move(idOf(made, 0), '2035-01-31T08:00');
    expect(starts(await visits())).toEqual(['01-31', '02-28', '03-31', '04-30'].map((day) => `2035-${day}T08:00`));
  });

  test('is canceled; what was canceled alone keeps its reason, what is over stays', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 5 });
    await cancel(idOf(made, 3), { UpdateNote: 'On holiday.' });
    const done = { UpdateActuals: true, ActualStart: '2026-05-29T09:00', ActualFinish: '2026-05-29T10:00' };
    await ok('appointments/update', { AppointmentId: idOf(made, 4), ...done });
    const answer = await cancel(idOf(made, 1), { Scope: 'following', UpdateNote: 'Sold the house.' });
    expect(answer['Message']).toBe('3 visits follow, and are canceled in the background.');
    const left = await visits();
    expect(states(left)).toEqual([1, 4, 4, 4, 3]);
    expect(left.map(({ Notes }) => Notes.split('M: ')[1] ?? '')).toEqual([
      '',
      'Sold the house.',
      '',
      'On holiday.',
      '',
    ]);
    expect(left.map(({ CanceledBy }) => CanceledBy)).toEqual(['', 'test', 'test', 'test', '']);
    expect(await kindsOf(idOf(made, 2))).toEqual(['appointment.booked', 'appointment.canceled']);
    expect((await company.book('Ann', '2035-05-15T09:00')).status).toBe(200);
  });

  test('is moved and canceled by an assistant with scope following', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 3 });
    const assistant = await connect(await company.newKey({ assistant: 'write' }));
    onTestFinished(closeAssistants);
    const twice = async (tool: string, args: object) => {
      const { confirm } = await say(assistant, tool, args);
      return (await say(assistant, tool, { ...args, confirm })).text;
    };
    const moved = { visit_id: idOf(made, 0), start: '2035-05-02T10:00', scope: 'following' };
    expect(await twice('change_visit', moved)).toContain(`Visit ${idOf(made, 0)} is changed, and those that follow.`);
    expect(starts(await visits())).toEqual(['2035-05-02T10:00', '2035-05-09T10:00', '2035-05-16T10:00']);
    const canceled = { visit_id: idOf(made, 1), reason_id: reason, scope: 'following' };
    expect(await twice('cancel_visit', canceled)).toContain('is canceled, and those that follow.');
    expect(states(await visits())).toEqual([1, 4, 4]);
  });

  test('alone, by default, changes no other', async () => {
    const made = await bookSeries('2035-05-01T09:00', { Repeat: 'weekly', Count: 3 });
    await move(idOf(made, 1), '2035-05-09T09:00', { Scope: 'this' });
    await cancel(idOf(made, 0));
    const left = await visits();
    expect(starts(left)).toEqual(['2035-05-01T09:00', '2035-05-09T09:00', '2035-05-15T09:00']);
    expect(states(left)).toEqual([4, 1, 1]);
  });

  test('needs a series, and a key that is not of a service agent', async () => {
    const single = slotIn(await company.book('Ann', '2035-05-01T09:00')).AppointmentId;
    const request = { AppointmentId: single, CancelReasonId: reason, Scope: 'following' };
    const answer = await company.call('appointments/cancel', request);
    expect(answer.body['Errors']).toMatchObject([{ Field: 'Scope', Code: 'mismatch' }]);
    const key = await company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId: company.agents['Ann'] ?? 0 });
    const made = await bookSeries('2035-06-01T09:00', { Repeat: 'weekly', Count: 2 });
    const agentCall = { AppointmentId: idOf(made, 0), Scope: 'following', Slots: [{ DateTime: '2035-06-01T10:00' }] };
    expect((await company.call('appointments/update', agentCall, { key })).body['Code']).toBe('agent_forbidden');
  });
});

describe('a subscription of 60 visits', () => {
  const accept = async (): Promise<void> => {
    await writeBook(company.accountId, {
      services: [
        { Name: 'Pool', BasePrice: 600, BaseDuration: 30, IsSubscription: true, IntervalDays: 7, VisitCount: 60 },
      ],
    });
    const of = { ContactId: company.contact, ServiceName: 'Pool', Status: 'Open', Date: '2035-01-01' };
    const { Id } = await ok('proposal/create', of);
    await ok('proposal/accept', { ProposalId: Id, Name: 'Ana Diaz', SignatureData: pngUri });
  };
  /** The first visits, which acceptance has queued. */
  const firstVisits = async (): Promise<Appointment[]> =>
    (await ok('appointments/query', { ContactId: company.contact, Take: 500 }))['Appointments'] as Appointment[];

  test('of which one is canceled while the worker queues: exactly 60, one of them canceled for ever', async () => {
    await accept();
    await cancel(idOf(await firstVisits(), 6));
    const all = await visits();
    expect([all.length, new Set(all.map(({ DateTime }) => DateTime)).size]).toEqual([60, 60]);
    expect(states(all).filter((status) => status === 4)).toHaveLength(1);
    expect(states(all).filter((status) => status === 0)).toHaveLength(59);
  });

  test('is canceled from a visit on while the worker queues, and the rest is booked at one time of day', async () => {
    await accept();
    const first = await firstVisits();
    await cancel(idOf(first, 50 - 12), { Scope: 'following' });
    const all = await visits();
    expect(states(all)).toEqual(all.map((_, place) => (place < 38 ? 0 : 4)));
    expect(all).toHaveLength(60);
    const Slots = [{ DateTime: '2035-01-10T09:00', ServiceAgentId: company.agents['Ann'] }];
    await company.book('Ann', '2035-01-17T09:15');
    await ok('appointments/book', { AppointmentId: idOf(all, 1), Slots, Scope: 'following' });
    const booked = (await visits()).filter(({ ProposalId }) => ProposalId);
    expect(starts(booked).slice(0, 4)).toEqual([
      '2035-01-01T00:00',
      '2035-01-10T09:00',
      '2035-01-15T00:00',
      '2035-01-24T09:00',
    ]);
    expect(states(booked)).toEqual(all.map((_, place) => (place >= 38 ? 4 : place === 0 || place === 2 ? 0 : 1)));
    expect(await tasks()).toEqual([expect.stringContaining(`Appointment ${idOf(all, 2)} stays at 2035-01-15`)]);
  });
});
