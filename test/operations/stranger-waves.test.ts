import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { DAY, toLocalDate } from '../../lib/shared/time/time.ts';
import { findClientDayMinutes } from '../../lib/store/client-days.ts';
import { findOrganization, organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { bookingForms, offered, visitLinkIn } from '../support/booking.ts';
import { freeStarts, startsIn } from '../support/booking-forms.ts';
import { runTool } from '../support/cli.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { drainEvents, onStack, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({ services: [offered] });
});

const bookings = async (...words: string[]) => {
  const { code, stdout, stderr } = await runTool(['bookings', ...words, '--account', company.accountId, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, number> & {
    readonly Networks: { readonly Network: string; readonly Visits: number; readonly Canceled: number }[];
  };
};

/** The visits of everybody, by their status. */
async function statuses(): Promise<Record<number, number>> {
  const { body } = await company.call('appointments/query', { FromDate: '2020-01-01' });
  const all = (body['Appointments'] as Appointment[]).map((visit) => Number(visit.Status));
  return Object.fromEntries(all.map((status) => [status, all.filter((other) => other === status).length]));
}

test('a wave of strangers leaves a client time to book, is listed by network, and is undone by one command', async () => {
  const forms = await bookingForms(company);
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      forms.send(110 + (index % 16), { slot: String(forms.starts[index % forms.starts.length]) }),
    ),
  );
  const wave = sent.filter(({ status }) => status === 200).length;
  expect(wave).toBeGreaterThan(5);

  const { body } = await company.call('contacts/addupdate', {
    Name: 'Known Client',
    Email: 'known@x.com',
    Zip: '62701',
  });
  const link = onStack((body['Matches'] as Contact[])[0]?.BookingUrl ?? '');
  const chosen = `${link}?service=${company.services['Lawn care']}`;
  const [slot] = startsIn(await openPage(chosen));
  const booked = await sendForm(link, await openPage(`${chosen}&slot=${slot}`), 'book', {});
  expect(booked.text).toContain('Your visit is booked');
  expect(visitLinkIn(booked)).not.toBe('');

  const { Networks } = await bookings('list', '--since', '1h');
  expect(Networks.reduce((sum, { Visits }) => sum + Visits, 0)).toBe(wave);
  const [first] = Networks;
  if (!first) throw new Error('no network');
  const partly = await bookings('undo', '--since', '1h', '--network', first.Network);
  expect(partly).toEqual({ Canceled: first.Visits, Already: 0, Kept: 0 });
  const rest = await Promise.all([1, 2].map(() => bookings('undo', '--since', '1h', '--all')));
  const canceled = rest.reduce((sum, { Canceled = 0 }) => sum + Canceled, 0);
  expect(canceled).toBe(wave - first.Visits);
  expect(await bookings('undo', '--since', '1h', '--all')).toEqual({ Canceled: 0, Already: wave, Kept: 0 });
  expect(await statuses()).toEqual({ [Status.Canceled]: wave, [Status.Scheduled]: 1 });

  await drainEvents();
  const events = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const canceledEvents = (events.body['Events'] as { Payload: { Kind: string; Actor: { Name: string } } }[]).filter(
    ({ Payload: { Kind, Actor } }) => Kind === 'appointment.canceled' && Actor.Name === 'fs bookings undo',
  );
  expect(canceledEvents).toHaveLength(wave);
  // The time is free again.
  expect((await bookingForms(company)).starts[0]).toBe(forms.starts[0]);
});

test('visits of erased persons are of no network, and a span before them has none', async () => {
  const forms = await bookingForms(company);
  const before = Date.now();
  const email = 'erased@example.com';
  const from = forms.starts.at(-1) ?? 0;
  const chosen = `${forms.link}?service=${company.services['Lawn care']}&zip=62701`;
  const later = (await freeStarts(chosen, forms.starts.length + 80)).find((start) => start > from + DAY);
  expect((await forms.send(130, { email, slot: String(later) })).status).toBe(200);
  const since = new Date(before).toISOString();
  expect((await bookings('list', '--since', since)).Networks).toHaveLength(1);
  const { body } = await company.call('contacts/locate', { EmailSearch: email });
  await eraseContact(accountStore(testTable(), company.accountId), {
    contactId: (body['Matches'] as Contact[])[0]?.Id ?? 0,
    files: undefined as never,
    discardedPrefix: 'none/',
    settleMilliseconds: 0,
  });
  expect((await bookings('list', '--since', since)).Networks).toEqual([]);
});

test('what to undo is said: networks or all, and a moment', async () => {
  const run = (...words: string[]) => runTool(['bookings', 'undo', '--account', company.accountId, ...words]);
  for (const words of [
    ['--since', '1h'],
    ['--all'],
    ['--since', '1h', '--network', 'x'],
    ['--since', '2999-01-01', '--all'],
  ])
    expect((await run(...words)).code).toBe(2);
});

describe('the share of a day that strangers may book', () => {
  /** Ann works 9 hours on weekdays: half a day is 270 minutes, and takes five visits of an hour. */
  let ann: Bookable;
  let forms: Awaited<ReturnType<typeof bookingForms>>;
  let hours: number[];
  const dateOf = (at: number) => toLocalDate(at, 'America/Chicago');
  const starts = async () => (await bookingForms(ann)).starts;
  const send = (slot: number, network: number) => forms.send(network, { slot: String(slot) });
  const dayMinutes = (at: number) => {
    const scope = { account: ann.accountId, organization: ann.organizationId };
    return findClientDayMinutes(accountStore(testTable(), scope.account), scope.organization, dateOf(at));
  };

  beforeAll(async () => {
    ann = await bookable({ services: [offered], agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
    forms = await bookingForms(ann);
    const days = [...Map.groupBy(forms.starts, dateOf).values()].sort((one, other) => other.length - one.length);
    hours = days[0]?.filter((_, index) => index % 2 === 0) ?? [];
  });

  test('is not exceeded by forms at once; then the day is not offered, and offered again when a visit is canceled', async () => {
    const sent = await Promise.all(hours.map((slot, index) => send(slot, 140 + index)));
    const booked = hours.filter((_, index) => sent[index]?.status === 200);
    // A form that lost a race at the limit is answered with other times.
    for (const slot of hours) if (booked.length < 5 && (await send(slot, 150)).status === 200) booked.push(slot);
    const [first = 0, second = 0] = booked;
    expect(booked).toHaveLength(5);
    expect(await dayMinutes(first)).toBe(300);
    const free = hours.find((slot) => !booked.includes(slot)) ?? 0;
    const refused = await send(free, 151);
    expect(refused.status).toBe(409);
    expect(startsIn(refused).map(dateOf)).not.toContain(dateOf(first));
    expect((await starts()).map(dateOf)).not.toContain(dateOf(first));

    const { body } = await ann.call('appointments/query', { FromDate: '2020-01-01' });
    const visits = body['Appointments'] as Appointment[];
    const idAt = (at: number) => visits.find(({ DateTime }) => Date.parse(DateTime) === at)?.AppointmentId;
    await ann.call('appointments/cancel', { AppointmentId: idAt(first), CancelReasonId: 1 });
    expect(await dayMinutes(first)).toBe(240);
    expect((await starts()).map(dateOf)).toContain(dateOf(first));

    // The office moves one to another day, then to the queue.
    const other = forms.starts.find((start) => dateOf(start) !== dateOf(first)) ?? 0;
    const update = (id: number | undefined, slot: object) =>
      ann.call('appointments/update', { AppointmentId: id, Slots: [slot] });
    expect((await update(idAt(second), { DateTime: new Date(other).toISOString() })).status).toBe(200);
    expect(await Promise.all([first, other].map(dayMinutes))).toEqual([180, 60]);
    expect((await update(idAt(second), { Duration: 90 })).status).toBe(200);
    expect(await dayMinutes(other)).toBe(90);
    expect((await update(idAt(second), { Status: Status.Queued })).status).toBe(200);
    expect(await dayMinutes(other)).toBe(0);
  });

  test('of 0 lets the page say that one should call, and clients book all the same', async () => {
    const before = await findOrganization(accountStore(testTable(), ann.accountId), ann.organizationId);
    if (!before) throw new Error('no organization');
    const after = { ...before, StrangerShare: 0 };
    await testTable().commit(organizationChanges({ account: ann.accountId }, before, after).changes);
    const page = await openPage(forms.link);
    expect(page.text).toContain('Online booking is not available');
    expect((await send(hours[0] ?? 0, 152)).status).toBe(409);
    const { body } = await ann.call('contacts/addupdate', { Name: 'Own', Email: 'own@x.com', Zip: '62701' });
    const link = onStack((body['Matches'] as Contact[])[0]?.BookingUrl ?? '');
    expect(startsIn(await openPage(`${link}?service=${ann.services['Lawn care']}`)).length).toBeGreaterThan(0);
  });
});
