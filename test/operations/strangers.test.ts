import { beforeAll, expect, test } from 'vitest';
import type { Appointment } from '../../lib/resources/appointments.ts';
import type { Contact } from '../../lib/resources/contacts.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { Meter } from '../../lib/store/dynamodb/client.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { eraseContact } from '../../lib/workflows/contacts/erase-contact.ts';
import { bookVisit } from '../../lib/workflows/pages/booking.ts';
import { clientContext } from '../../lib/workflows/pages/client.ts';
import { bookingForms, offered, someone, visitLinkIn } from '../support/booking.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

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
  const scope = { accountId: company.accountId, organizationId: null };
  return findAppointment(testTable(), scope, id);
};

test('of 50 forms at once with one e-mail, or of 10 with one phone, at most two book', async () => {
  const send = (count: number, same: object) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        forms.send(40 + (index % 10), { ...someone(same), slot: String(forms.starts[index % forms.starts.length]) }),
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
      service: { Name: 'Lawn care' },
      start,
      contact,
      note: '',
    });
    await context.table.commit(changes);
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

test('a visit has a keyed hash of its network, which is erased with its person', async () => {
  const client = someone();
  await forms.send(52, { ...client, slot: String(forms.starts[30]) });
  const other = someone();
  await forms.send(52, { ...other, slot: String(forms.starts[32]) });
  const ids = (await Promise.all([client, other].map(({ email = '' }) => visitsOf(email)))).flat();
  const [one, two] = await Promise.all(ids.map(({ AppointmentId }) => storedVisit(AppointmentId)));
  expect(one?.Network).toMatch(/^[0-9a-f]{16}$/);
  expect(two?.Network).toBe(one?.Network);
  await eraseContact(testTable(), {
    account: company.accountId,
    contactId: one?.ContactId ?? 0,
    files: undefined as never,
    discardedPrefix: 'none/',
    settleMilliseconds: 0,
    removeSigned: false,
  });
  expect((await storedVisit(one?.Id ?? 0))?.Network).toBe('');
});
