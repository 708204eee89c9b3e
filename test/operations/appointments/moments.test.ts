import type { Appointment } from '../../../lib/entities/appointments.ts';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../lib/entities/tasks.ts';
import { bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { drainEvents, testAccount } from '../../support/stack/stack.ts';

/** The forms in which programs write one moment: with and without a fraction of the second. */
const forms = (utc: string): string[] => [utc, utc.replace('Z', '.000Z'), utc.replace('Z', '.734Z')];

describe('a moment is the same with and without a fraction of its second', () => {
  test('as the edges of a filter', async () => {
    const account = await testAccount();
    await account.call('task/create', { Description: 'Call back', Due: '2026-03-08T09:00:00.250Z' });
    const { Tasks } = (await account.call('task/query', {})).body;
    const [{ UpdatedAt, Due } = { UpdatedAt: '', Due: '' }] = Tasks as Task[];
    expect(Due).toBe('2026-03-08T09:00:00Z');
    const found = await Promise.all(
      forms(UpdatedAt).flatMap((from) =>
        forms(UpdatedAt).map((through) =>
          account.call('task/query', { UpdatedFrom: from, UpdatedThrough: through, DueFrom: Due, DueThrough: Due }),
        ),
      ),
    );
    expect(found.map(({ body }) => body['Count'])).toEqual(found.map(() => 1));
  });

  test('in a body that is repeated with its Idempotency-Key', async () => {
    const account = await testAccount();
    const headers = { 'Idempotency-Key': 'one' };
    const answers = [];
    for (const Due of forms('2026-03-08T09:00:00Z'))
      answers.push(await account.call('task/create', { Description: 'Call back', Due }, { headers }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const other = await account.call(
      'task/create',
      { Description: 'Call back', Due: '2026-03-08T09:00:01Z' },
      { headers },
    );
    expect(other.status).toBe(409);
  });

  test('in a slot that is booked, sent back, and repeated by its CallCenterTransactionId', async () => {
    const account = await bookable();
    const repeat = (DateTime: string) => account.book('Ann', DateTime, { CallCenterTransactionId: 7 });
    const ids = [];
    for (const DateTime of forms('2027-03-08T16:00:00Z')) ids.push(slotIn(await repeat(DateTime)).AppointmentId);
    expect(new Set(ids).size).toBe(1);

    const booked = slotIn(await account.book('Ben', '2027-03-08T16:00:00.734Z'));
    expect(booked.DateTime).toBe('2027-03-08T10:00:00-06:00');
    await drainEvents();
    for (const DateTime of [booked.DateTime, ...forms('2027-03-08T16:00:00Z')])
      await account.call('appointments/update', {
        AppointmentId: booked.AppointmentId,
        Slots: [{ ...booked, DateTime }],
      });
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', {});
    const kinds = (body['Events'] as { Payload: { Kind: string; Id: number } }[])
      .filter(({ Payload }) => Payload.Id === booked.AppointmentId && Payload.Kind.startsWith('appointment.'))
      .map(({ Payload }) => Payload.Kind);
    expect(kinds).toEqual(['appointment.booked']);
    expect(slotsIn(await account.call('appointments/find', { AppointmentId: booked.AppointmentId }))[0]?.DateTime).toBe(
      booked.DateTime,
    );
  });

  test('in the actual times of an appointment that started now', async () => {
    const account = await bookable();
    const booked = slotIn(await account.book('Ann', '2027-03-08T10:00'));
    const start = { AppointmentId: booked.AppointmentId, Slots: [{ Status: 2 }] };
    const { ActualStart } = slotIn(await account.call('appointments/update', start));
    const repeat = { AppointmentId: booked.AppointmentId, UpdateActuals: true, ActualStart };
    expect((await account.call('appointments/update', repeat)).status).toBe(200);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', {});
    const events = body['Events'] as { QueuedAt: string; Payload: { Kind: string; At: string } }[];
    const kinds = events.map(({ Payload }) => Payload.Kind).filter((kind) => kind.startsWith('appointment.'));
    expect(kinds).toEqual(['appointment.booked', 'appointment.started']);
    for (const { QueuedAt, Payload } of events)
      expect([QueuedAt, Payload.At]).toEqual([expect.stringMatching(/:\d\dZ$/), expect.stringMatching(/:\d\dZ$/)]);
  });
});

test('all moments of an appointment have the offset of its organization, or the date style of the key', async () => {
  const account = await bookable();
  const { AppointmentId } = slotIn(await account.book('Ann', '2027-03-15T09:00'));
  const done = { UpdateActuals: true, ActualStart: '2027-03-15T09:05', ActualFinish: '2027-03-15T10:00' };
  await account.call('appointments/update', { AppointmentId, ...done });
  const { AppointmentId: canceled } = slotIn(await account.book('Ann', '2027-03-15T13:00'));
  await account.call('appointments/cancel', { AppointmentId: canceled, CancelReasonId: 3 });
  const us = await account.newKey({ role: 'Office', dateStyle: 'us' });
  const rows = async (key?: string) => {
    const day = { FromDate: '2027-03-15', ThroughDate: '2027-03-15' };
    const { body } = await account.call('appointments/query', day, key === undefined ? {} : { key });
    return (body['Appointments'] as Appointment[]).map(({ DateTime, ActualStart, ActualFinish, CanceledAt }) => ({
      DateTime,
      ActualStart,
      ActualFinish,
      CanceledAt,
    }));
  };
  expect(await rows()).toEqual([
    {
      DateTime: '2027-03-15T09:00:00-05:00',
      ActualStart: '2027-03-15T09:05:00-05:00',
      ActualFinish: '2027-03-15T10:00:00-05:00',
      CanceledAt: null,
    },
    {
      DateTime: '2027-03-15T13:00:00-05:00',
      ActualStart: '',
      ActualFinish: null,
      CanceledAt: expect.stringMatching(/T\d\d:\d\d:\d\d-0[56]:00$/) as string,
    },
  ]);
  expect(await rows(us)).toMatchObject([
    { ActualStart: '3/15/2027 9:05:00 AM', ActualFinish: '3/15/2027 10:00:00 AM' },
    { CanceledAt: expect.stringMatching(/^\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M$/) as string },
  ]);
});
