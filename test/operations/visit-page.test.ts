import { beforeAll, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import { DAY, HOUR } from '../../lib/shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { putOrganizationSettings, putSettings } from '../support/settings.ts';
import { onStack, testTable } from '../support/stack/stack.ts';
import { storeOf } from '../../lib/store/store.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable();
  await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Moved away' }]);
});

const scope = () => ({ account: company.accountId, organizationId: null });

const cancelHours = (CancelHours: number | null): Promise<void> => putOrganizationSettings(company, { CancelHours });

let day = 4;
/** Nobody works at weekends, which in March 2035 begin at 3, 10, 17 and 24. */
function nextDay(): string {
  do day++;
  while ((day - 3) % 7 < 2);
  return String(day);
}

/** A visit on a weekday of March 2035, perhaps changed, and the link of its page. */
async function visit(change: Partial<AppointmentRecord> = {}): Promise<{ id: number; link: string }> {
  const booked = slotIn(await company.book('Ann', `2035-03-${nextDay().padStart(2, '0')}T09:00`));
  const before = await findAppointment(storeOf(testTable(), scope()), booked.AppointmentId);
  if (!before) throw new Error('no visit');
  const { changes } = appointmentChanges(
    { account: company.accountId },
    { before, after: { ...before, ...change }, now: new Date() },
  );
  await testTable().commit(changes);
  return { id: booked.AppointmentId, link: onStack(booked.TrackingUrl) };
}

test('a client cancels with a reason where the organization allows it, and the time is free again', async () => {
  await cancelHours(24);
  const { id, link } = await visit();
  const page = await openPage(link);
  expect(page.text).toContain('You can cancel until');
  const wrong = await sendForm(link, page, 'cancel', {});
  expect(wrong.text).toContain('id="cancelReason-error"');
  expect(wrong.text).toContain('role="alert"');
  expect((await sendForm(link, page, 'cancel', { cancelReason: 'Weather' })).status).toBe(400);
  const cancelReason = 'I no longer need this visit';
  const sent = await sendForm(link, page, 'cancel', { cancelReason, cancelNote: 'To Ohio' });
  expect(sent.status).toBe(303);
  const canceled = await findAppointment(storeOf(testTable(), scope()), id);
  expect(canceled).toMatchObject({ Status: Status.Canceled, CancelReason: cancelReason, CanceledBy: 'Client page' });
  expect(`${canceled?.Notes} ${canceled?.InternalNotes}`).toContain('The client: To Ohio');
  const after = await openPage(new URL(sent.headers.get('location') ?? '', link).href);
  expect(after.text).toContain('Your visit has been canceled.');
  expect(after.text).not.toContain('value="cancel"');
  const again = await company.book('Ann', `2035-03-${String(day).padStart(2, '0')}T09:00`);
  expect(again.status).toBe(200);
});

test('a client chooses among reasons in its language, those of its organization or built-in ones', async () => {
  await cancelHours(24);
  const built = await openPage(`${(await visit()).link}?lang=es`);
  expect(built.text).toContain('<option value="My plans changed">Cambiaron mis planes</option>');
  expect(built.text).not.toContain('Moved away');

  const other = await bookable();
  const [weather] = await putSettings(other.accountId, 'CancelReason', [{ Reason: 'Weather' }]);
  const ClientCancelReasons = [
    { En: 'A storm is coming', Es: 'Viene una tormenta', CancelReason: 'weather' },
    { En: 'Too expensive', Es: '', CancelReason: '' },
  ];
  await putOrganizationSettings(other, { CancelHours: 24, ClientCancelReasons });
  for (const [cancelReason, text, CancelReasonId] of [
    ['A storm is coming', 'Viene una tormenta', weather],
    ['Too expensive', 'Too expensive', null],
  ] as const) {
    const booked = slotIn(await other.book('Ann', `2035-03-${nextDay().padStart(2, '0')}T09:00`));
    const link = onStack(booked.TrackingUrl);
    const page = await openPage(`${link}?lang=es`);
    expect(page.text).toContain(`<option value="${cancelReason}">${text}</option>`);
    expect((await sendForm(link, page, 'cancel', { cancelReason: 'My plans changed' })).status).toBe(400);
    expect((await sendForm(link, page, 'cancel', { cancelReason })).status).toBe(303);
    const { body } = await other.call('appointments/find', {
      AppointmentId: booked.AppointmentId,
      IncludeCompleted: true,
    });
    expect(body['Slots']).toMatchObject([{ CancelReason: cancelReason, CancelReasonId }]);
  }
});

test.each([
  ['never where the organization does not allow it', null, {}],
  ['not later than it allows', 100_000, {}],
  ['not once it is under way', 24, { Status: Status.Started }],
])('a client cancels %s, whatever the form sends', async (_, hours, change) => {
  const { id, link } = await visit(change);
  await cancelHours(24);
  const form = await openPage((await visit()).link);
  await cancelHours(hours);
  const page = await openPage(link);
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const sent = await sendForm(link, form, 'cancel', { token, cancelReason: 'My plans changed' });
  expect([403, 409]).toContain(sent.status);
  expect((await findAppointment(storeOf(testTable(), scope()), id))?.Status).not.toBe(Status.Canceled);
});

test.each([
  ['Booked', { Status: Status.Scheduled }],
  ['Waiting to be confirmed', { Status: Status.Tentative }],
  ['On the way to you', { Status: Status.Started, ActualStart: Date.now() + HOUR }],
  ['Arriving around', { Status: Status.Started, ActualStart: Date.now() + HOUR }],
  ['In progress', { Status: Status.Started, ActualStart: Date.now() - HOUR }],
  ['Finished', { Status: Status.Completed, ActualStart: Date.now() - DAY }],
  ['Canceled', { Status: Status.Canceled }],
])('the page of a visit says %s', async (state, change) => {
  const { link } = await visit(change);
  expect((await openPage(link)).text).toContain(state);
});
