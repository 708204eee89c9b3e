import { afterAll, beforeEach, expect, test } from 'vitest';
import { closeAssistants, connect, say } from '../support/assistant.ts';
import { type CrossTown, DAY, at, crossTown } from '../support/day-plans.ts';
import { slotIn } from '../support/scheduling.ts';

afterAll(closeAssistants);

let company: CrossTown;
let client: Awaited<ReturnType<typeof connect>>;
beforeEach(async () => {
  company = await crossTown();
  client = await connect(await company.newKey({ role: 'Office', assistant: 'write' }));
});

const planDay = (more: object = {}) => say(client, 'plan_day', { date: DAY, ...more });
const times = () =>
  Promise.all(
    company.visits.map(async (AppointmentId) =>
      slotIn(await company.call('appointments/find', { AppointmentId })).DateTime.slice(0, 16),
    ),
  );
const BOOKED = ['09:00', '11:00', '13:00', '15:00'].map(at);

test('an assistant sees the plan of a day first, applies it once it is confirmed, and can go back', async () => {
  const preview = await planDay();
  expect(preview.text).toMatch(/^This moves 2 visits\. 188 minutes of driving become 94\. Nothing is changed yet\./);
  expect(preview.data['days']).toMatchObject([{ agent: 'Ann', minutes_before: 188, minutes_after: 94 }]);
  expect(await times()).toEqual(BOOKED);

  const done = await planDay({ confirm: preview.confirm });
  expect(done.text).toMatch(/^2 visits moved\. 188 minutes of driving become 94\./);
  expect(await planDay({ confirm: preview.confirm })).toEqual(done);
  expect(await times()).not.toEqual(BOOKED);

  const back = { operation: 'appointments/dayplan', request: { Date: DAY, Apply: true, Revision: done.data['undo'] } };
  const { confirm } = await say(client, 'call_operation', back);
  await say(client, 'call_operation', { ...back, confirm });
  expect(await times()).toEqual(BOOKED);
});

test('a plan that is not as it was previewed is not applied, and a day without a better order needs no yes', async () => {
  const preview = await planDay();
  await company.call('appointments/update', { AppointmentId: company.visits[0], Slots: [{ DateTime: at('08:30') }] });
  const refused = await planDay({ confirm: preview.confirm });
  expect(refused.text).toContain('is not as it was previewed');
  await company.plan({ Apply: true });
  const nothing = await planDay();
  expect([nothing.text, nothing.confirm]).toEqual([
    expect.stringMatching(/^No order of this day costs less driving\./),
    '',
  ]);
  expect((await planDay({ agents: 'Ann' })).text).toContain('Give agents as ids');
});
