import { beforeEach, describe, expect, test } from 'vitest';
import { Status } from '../../../lib/domain/appointments/record.ts';
import type { Appointment, AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import type { CallOptions } from '../../support/stack/stack.ts';

const FIRST = '2035-03-05T09:00';
const SECOND = '2035-03-06T10:00';

let company: Bookable;
let visit: AppointmentSlot;
beforeEach(async () => {
  company = await bookable();
  visit = slotIn(await company.book('Ann', FIRST));
});

const change = (operation: 'update' | 'cancel', ExpectedDateTime: unknown, more: object = {}, options?: CallOptions) =>
  company.call(
    `appointments/${operation}`,
    {
      AppointmentId: visit.AppointmentId,
      ExpectedDateTime,
      ...(operation === 'cancel' ? { CancelReasonId: 1 } : { UpdateNote: 'Bring a ladder.' }),
      ...more,
    },
    options,
  );

const stored = async (): Promise<Appointment> => {
  const { body } = await company.call('appointments/find', { AppointmentId: visit.AppointmentId });
  return (body['Slots'] as Appointment[])[0] as Appointment;
};

/** Somebody else moves the visit. */
const moveElsewhere = async () =>
  slotIn(
    await company.call('appointments/update', { AppointmentId: visit.AppointmentId, Slots: [{ DateTime: SECOND }] }),
  );

describe.each(['update', 'cancel'] as const)('appointments/%s with ExpectedDateTime', (operation) => {
  test('is done at the time that the caller saw, in each form of a moment', async () => {
    for (const seen of [visit.DateTime, FIRST, '3/5/2035 9:00 AM', null, '']) {
      expect([seen, (await change('update', seen)).status]).toEqual([seen, 200]);
    }
    expect((await change(operation, visit.DateTime)).status).toBe(200);
  });

  test('is 409 after somebody moved the visit, says where it is now, and changes nothing', async () => {
    const before = await moveElsewhere();
    const answer = await change(operation, visit.DateTime);
    expect([answer.status, answer.body['Code']]).toEqual([409, 'wrong_state']);
    expect(answer.body['Message']).toMatch(
      new RegExp(`^Appointment ${visit.AppointmentId} was changed since you saw it: it is Scheduled, .*10:00 AM`),
    );
    expect(await stored()).toEqual({ ...before, Contact: null });
    expect((await change(operation, before.DateTime)).status).toBe(200);
  });

  test('is 409 after the visit was put into the queue', async () => {
    const queued = await company.call('appointments/update', {
      AppointmentId: visit.AppointmentId,
      Slots: [{ Status: Status.Queued }],
    });
    expect(queued.status, queued.text).toBe(200);
    const answer = await change(operation, visit.DateTime);
    expect(answer.status, answer.text).toBe(409);
    expect(answer.body['Message']).toContain('it is Queued');
    // What a reader of the queued visit sees is what it may send back.
    expect((await change(operation, (await stored()).DateTime)).status).toBe(200);
  });

  test('is 409 after somebody canceled the visit', async () => {
    await company.call('appointments/cancel', { AppointmentId: visit.AppointmentId, CancelReasonId: 1 });
    const answer = await change(operation, visit.DateTime);
    expect([answer.status, answer.body['Message']]).toEqual([409, expect.stringContaining('it is Canceled')]);
  });

  test('takes the time as a key with US dates got it', async () => {
    const options = { key: await company.newKey({ role: 'Owner', dateStyle: 'us' }) };
    const { body } = await company.call('appointments/find', { AppointmentId: visit.AppointmentId }, options);
    const seen = (body['Slots'] as Appointment[])[0]?.DateTime;
    expect(seen).not.toBe(visit.DateTime);
    await moveElsewhere();
    expect((await change(operation, seen, {}, options)).status).toBe(409);
    await company.call('appointments/update', { AppointmentId: visit.AppointmentId, Slots: [{ DateTime: FIRST }] });
    expect((await change(operation, seen, {}, options)).status).toBe(200);
  });

  test('is 400 with the name of the field where it is no moment', async () => {
    const answer = await change(operation, 'soon');
    expect(answer.status).toBe(400);
    expect(answer.body['Errors']).toMatchObject([{ Field: 'ExpectedDateTime' }]);
  });
});

describe.each(['update', 'cancel'] as const)('appointments/%s with ExpectedServiceAgentId', (operation) => {
  const changeOf = (ExpectedServiceAgentId: unknown) => change(operation, visit.DateTime, { ExpectedServiceAgentId });

  test('is 409 after somebody gave the visit to another agent at the same time, and names that agent', async () => {
    const Slots = [{ ServiceAgentId: company.agents['Ben'] }];
    const { AppointmentId } = visit;
    const given = slotIn(await company.call('appointments/update', { AppointmentId, Slots }));
    expect(given.DateTime).toBe(visit.DateTime);
    const answer = await changeOf(company.agents['Ann']);
    expect([answer.status, answer.body['Code']]).toEqual([409, 'wrong_state']);
    expect(answer.body['Message']).toMatch(/was changed since you saw it: it is Scheduled, .*9:00 AM, Ben\.$/);
    expect(await stored()).toEqual({ ...given, Contact: null });
    expect((await changeOf(company.agents['Ben'])).status).toBe(200);
  });

  test('is done with the agent that the caller saw, and without one', async () => {
    expect((await change('update', visit.DateTime, { ExpectedServiceAgentId: null })).status).toBe(200);
    expect((await changeOf(company.agents['Ann'])).status).toBe(200);
  });
});

test.each(['update', 'cancel'] as const)(
  'appointments/%s of this visit and those that follow is 409 after somebody moved the visit',
  async (operation) => {
    visit = slotIn(await company.book('Ben', '2035-04-03T09:00', { Repeat: 'weekly', Count: 3 }));
    const more = {
      Scope: 'following',
      ...(operation === 'update' ? { Slots: [{ DateTime: '2035-04-04T09:00' }] } : {}),
    };
    await moveElsewhere();
    const answer = await change(operation, visit.DateTime, more);
    expect(answer.status, answer.text).toBe(409);
    const now = await stored();
    expect([now.DateTime.slice(0, 16), now.Status]).toEqual([SECOND, Status.Scheduled]);
    expect((await change(operation, now.DateTime, more)).status).toBe(200);
  },
);
