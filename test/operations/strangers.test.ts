import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { identity, listPlaces } from '../../lib/store/client-places.ts';
import { Meter } from '../../lib/store/dynamodb/client.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { getHasher } from '../../lib/store/links.ts';
import { DAY, HOUR } from '../../lib/shared/time/time.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { bookVisit } from '../../lib/workflows/pages/booking.ts';
import { clientContext } from '../../lib/workflows/pages/client.ts';
import { bookingForms, offered, visitLinkIn } from '../support/booking.ts';
import { freeStarts, someone, startsIn } from '../support/booking-forms.ts';
import { turnMessages } from '../support/messages.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { drainEvents, onStack, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

let company: Bookable;
let forms: Awaited<ReturnType<typeof bookingForms>>;

beforeAll(async () => {
  company = await bookable({ services: [offered] });
  forms = await bookingForms(company);
});

const visitsOf = async (email: string): Promise<Appointment[]> => {
  const { body } = await company.call('contacts/locate', { EmailSearch: email });
  const found = (body['Matches'] as Contact[]).map(({ Id: ContactId }) =>
    company.call('appointments/query', { ContactId, FromDate: '2020-01-01' }),
  );
  return (await Promise.all(found)).flatMap((answer) => answer.body['Appointments'] as Appointment[]);
};

const storedVisit = async (id: number) => {
  const scope = { account: company.accountId, organizationId: null };
  return findAppointment(storeOf(testTable(), scope), id);
};

/** So many starts are for the forms at once; those from 10 on are free after them. */
const RACED = 8;

test('of 50 forms at once with one e-mail, or of 10 with one phone, at most two book', async () => {
  const send = (count: number, same: object) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        forms.send(40 + (index % 10), { ...someone(same), slot: String(forms.starts[index % RACED]) }),
      ),
    );
  const email = 'race@example.com';
  for (const [count, same] of [
    [50, { email }],
    [10, { phone: '217-555-0199' }],
  ] as const) {
    const booked = (await send(count, same)).filter(({ status }) => status === 200);
    expect(booked.length).toBeGreaterThan(0);
    expect(booked.length).toBeLessThanOrEqual(2);
  }
  expect((await visitsOf(email)).length).toBeLessThanOrEqual(2);
});

test('a third visit is refused with a sentence, a form sent again shows its visit, and a canceled visit makes room', async () => {
  const client = someone();
  const send = (place: number, form: string) =>
    forms.send(51, { ...client, form, slot: String(forms.starts[10 + place * 2]) });
  const [first, second, third] = ['first', 'second', 'third'].map((name) => name.padEnd(22, '-')) as [
    string,
    string,
    string,
  ];
  const booked = await send(0, first);
  expect([booked.status, (await send(1, second)).status]).toEqual([200, 200]);
  const refused = await send(2, third);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Two visits are booked already');
  expect(visitLinkIn(await send(0, first))).toBe(visitLinkIn(booked));
  const [visit] = await visitsOf(client['email'] ?? '');
  await company.call('appointments/cancel', { AppointmentId: visit?.AppointmentId, CancelReasonId: 1 });
  expect((await send(2, third)).status).toBe(200);
});

test('a booking for a contact that exists takes as many requests of the table as one of somebody new', async () => {
  const known = someone({ name: 'Known Person', email: 'known@example.com' });
  await company.call('contacts/addupdate', { Name: known['name'], Email: known['email'], Zip: '62701' });
  const requestsOf = async (place: number, { name: Name, email: Email, phone: Phone }: Record<string, string>) => {
    const meter = new Meter();
    const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
    const target = { page: 'booking', account: company.accountId, id: 1, generation: 0, lastDay: 0 } as const;
    const context = clientContext(openTable({ tableName, endpoint, meter }), {
      target,
      now: new Date(),
      requestId: 'test',
      sourceIp: '203.0.113.9',
    });
    const contact = { Name, Email, Phone, Address1: '5 Elm St', City: 'Springfield', Zip: '62701' };
    const form = `requests${place}`.padEnd(22, '-');
    const start = forms.starts[20 + place * 2] ?? 0;
    const { appointment, changes } = await bookVisit(context, {
      form,
      service: { Name: 'Lawn care', ExactTimes: false },
      time: { start, agentId: undefined },
      contact,
      note: '',
    });
    await context.store.table.commit(changes);
    const { requests, rounds } = meter.usage;
    return { appointment, cost: { requests, rounds } };
  };
  // The first of a container reads what it remembers, and leases ids.
  await requestsOf(0, someone());
  const [unknown, existing] = [await requestsOf(1, someone()), await requestsOf(2, known)];
  expect(existing.appointment.ContactId).not.toBe(unknown.appointment.ContactId);
  expect((await visitsOf('known@example.com')).length).toBe(1);
  expect(existing.cost).toEqual(unknown.cost);
});

test('a visit has a keyed hash of its network, which is erased with its person, as are the places of its e-mail', async () => {
  const client = someone();
  await forms.send(52, { ...client, slot: String(forms.starts[30]) });
  const other = someone();
  await forms.send(52, { ...other, slot: String(forms.starts[32]) });
  const ids = (await Promise.all([client, other].map(({ email = '' }) => visitsOf(email)))).flat();
  const [one, two] = await Promise.all(ids.map(({ AppointmentId }) => storedVisit(AppointmentId)));
  expect(one?.Network).toMatch(/^[0-9a-f]{16}$/);
  expect(two?.Network).toBe(one?.Network);
  await eraseContact(accountStore(testTable(), company.accountId), {
    contactId: one?.ContactId ?? 0,
    files: undefined as never,
    discardedPrefix: 'none/',
    settleMilliseconds: 0,
    removeSigned: false,
  });
  expect((await storedVisit(one?.Id ?? 0))?.Network).toBe('');
  const hash = await getHasher(accountStore(testTable(), company.accountId));
  const placesOf = async ({ email = '' }: Record<string, string>) =>
    (await listPlaces(accountStore(testTable(), company.accountId), [hash(identity.ofEmail(email))])).length;
  expect([await placesOf(client), await placesOf(other)]).toEqual([0, 1]);
});

interface AppointmentEvent {
  readonly Kind: string;
  /** `null` where its person is erased. */
  readonly Data: Appointment | null;
}

/** The events of a visit so far. */
async function eventsOf(id: number): Promise<AppointmentEvent[]> {
  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const all = (body['Events'] as { Payload: AppointmentEvent }[]).map(({ Payload }) => Payload);
  return all.filter(({ Kind, Data }) => Kind.startsWith('appointment.') && Data?.AppointmentId === id);
}

const setSettings = (settings: object): Promise<void> => putOrganizationSettings(company, settings);

/** The table without the waiting visits of other accounts, which belong to tests that run at the same time. */
function ownTable(): PatientTable {
  const table = testTable();
  const isOwn = ({ Account = company.accountId }: Item) => Account === company.accountId;
  const own: PatientTable = {
    ...table,
    until: () => own,
    query: async (range) => {
      const page = await table.query(range);
      return { ...page, items: page.items.filter(isOwn) };
    },
  };
  return own;
}

/** A run of the worker, by default when the hours of the visits are over. */
const release = (hours = 3) =>
  releaseVisits(ownTable(), { now: new Date(Date.now() + hours * HOUR), deadline: Date.now() + 20_000 });

let taken = 60;
/** A visit of a stranger on a time of its own: what the page answered, and what is stored. */
async function booked(more: Record<string, string> = {}) {
  const client = someone(more);
  const [slot = 0] = later.splice(0, 2);
  const page = await forms.send(++taken, { ...client, slot: String(slot) });
  const [visit] = await visitsOf(client['email'] ?? '');
  if (!visit) throw new Error(page.text);
  return { page, visit };
}
let later: number[] = [];

describe('a visit of a stranger', () => {
  beforeAll(async () => {
    const [from = 0] = forms.starts.slice(-1);
    const chosen = `${forms.link}?service=${company.services['Lawn care']}&zip=62701`;
    later = (await freeStarts(chosen, forms.starts.length + 80)).filter((start) => start > from + DAY);
  });

  test('waits, is confirmed by the link in the event alone, and stays then', async () => {
    const { page, visit } = await booked();
    expect(page.text).toContain('We hold this time for you');
    expect(visit.Status).toBe(Status.Tentative);
    expect(Date.parse(visit.HeldUntil ?? '') - Date.now()).toBeGreaterThan(1.9 * HOUR);
    const own = onStack(visitLinkIn(page));
    const followed = await openPage(own);
    expect(followed.text).toContain('Waiting to be confirmed');
    expect(followed.text).not.toContain('Confirm visit');
    expect((await sendForm(own, followed, 'another-time', { action: 'confirm', message: 'x' })).status).toBe(404);
    const [event] = await eventsOf(visit.AppointmentId);
    expect(event?.Kind).toBe('appointment.booked');
    const mailed = onStack(event?.Data?.TrackingUrl ?? '');
    expect((await sendForm(mailed, await openPage(mailed), 'confirm', {})).status).toBe(303);
    await release();
    expect(await storedVisit(visit.AppointmentId)).toMatchObject({ Status: Status.Scheduled, HeldUntil: null });
    expect((await openPage(own)).text).toContain('Booked');
  });

  test('is told where to confirm: in the e-mail that we send, if the company lets us, or on the phone', async () => {
    const withEmail = 'with the link that we send to your e-mail';
    expect((await booked()).page.text).not.toContain(withEmail);
    await turnMessages(company, true);
    const { page } = await booked();
    expect(page.text).toContain(withEmail);
    expect((await openPage(onStack(visitLinkIn(page)))).text).toContain(withEmail);
    await turnMessages(company, false);
    expect((await booked()).page.text).not.toContain(withEmail);
  });

  test('is released when its hours are over, with a reason, an event and its time, and is not confirmed any more', async () => {
    const { visit } = await booked();
    await release(1);
    expect((await storedVisit(visit.AppointmentId))?.Status).toBe(Status.Tentative);
    const runs = await Promise.all([release(), release(), release()]);
    expect(runs.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await storedVisit(visit.AppointmentId)).toMatchObject({
      Status: Status.Canceled,
      CancelReason: 'Not confirmed in time',
      CanceledBy: 'Booking page',
    });
    const kinds = (await eventsOf(visit.AppointmentId)).map(({ Kind }) => Kind);
    expect(kinds).toEqual(['appointment.booked', 'appointment.canceled']);
    const again = await forms.send(90, { ...someone(), slot: String(Date.parse(visit.DateTime)) });
    expect(again.status).toBe(200);
    const mailed = onStack(visit.TrackingUrl);
    const link = await openPage(mailed);
    expect(link.text).not.toContain('Confirm visit');
  });

  test('is confirmed or made tentative by the office, and not released then', async () => {
    const { visit } = await booked();
    for (const status of [Status.Scheduled, Status.Tentative])
      await company.call('appointments/update', { AppointmentId: visit.AppointmentId, Slots: [{ Status: status }] });
    await release();
    expect((await storedVisit(visit.AppointmentId))?.Status).toBe(Status.Tentative);
  });

  test('is booked at once where the organization wants no confirmation', async () => {
    await setSettings({ ConfirmHours: 0 });
    const { page, visit } = await booked();
    await setSettings({ ConfirmHours: 2 });
    expect(page.text).toContain('Your visit is booked');
    expect(visit).toMatchObject({ Status: Status.Scheduled, HeldUntil: null });
  });
});

test('a client books by its own link without typing who it is, and the visit is booked at once', async () => {
  const { body } = await company.call('contacts/addupdate', {
    Name: 'Own Link',
    Email: 'own@example.com',
    Zip: '62701',
  });
  const [contact] = body['Matches'] as Contact[];
  const link = onStack(contact?.BookingUrl ?? '');
  const times = await openPage(`${link}?service=${company.services['Lawn care']}`);
  const slot = String(startsIn(times).at(-1));
  const details = await openPage(`${link}?service=${company.services['Lawn care']}&slot=${slot}`);
  expect(details.text).not.toContain('name="email"');
  const answer = await sendForm(link, details, 'book', { note: 'Ring twice' });
  expect(answer.text).toContain('Your visit is booked');
  const [visit] = await visitsOf('own@example.com');
  expect(visit).toMatchObject({ ContactId: contact?.Id, Status: Status.Scheduled, Notes: 'Ring twice' });
  expect((await openPage(onStack(visitLinkIn(answer)))).text).toContain('62701');
});
