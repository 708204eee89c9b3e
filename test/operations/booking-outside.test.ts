import type { Contact } from '../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../lib/entities/tasks.ts';
import { readContactFields } from '../../lib/pages/booking-details.ts';
import { organizationCountChange } from '../../lib/store/accounts/accounts.ts';
import { Meter } from '../../lib/store/dynamodb/client.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { postalOwnershipChanges } from '../../lib/store/organizations/postal-ownership.ts';
import { clientContext } from '../../lib/workflows/pages/client.ts';
import { leaveLead } from '../../lib/workflows/pages/leave-lead.ts';
import { bookingLink, offered } from '../support/booking.ts';
import { type OpenedPage, hiddenFields, openPage, sendForm, sendFrom } from '../support/pages.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { onStack, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let company: Bookable;
let link: string;

beforeAll(async () => {
  company = await bookable({
    services: [offered],
    organization: { PostalCodes: '62701, 62702' },
    agents: [{ Name: 'Ann', TimeSlots: weekdays() }],
  });
  link = await bookingLink(company);
});

const at = (zip: string, more = ''): Promise<OpenedPage> =>
  openPage(`${link}?service=${company.services['Lawn care']}&zip=${zip}${more}`);

const contactsOf = async (EmailSearch: string): Promise<Contact[]> =>
  (await company.call('contacts/locate', { EmailSearch })).body['Matches'] as Contact[];

const tasksOf = async (ContactId: number | undefined): Promise<Task[]> =>
  (await company.call('task/query', { ContactId })).body['Tasks'] as Task[];

test('a wrong postal code, one that nobody serves, and a full calendar are three answers, in both languages', async () => {
  for (const wrong of ['ABC', '1234', '627011', '%C2%BF']) {
    const page = await at(wrong, '&lang=en');
    expect(page.text).toContain('id="zip-error">Enter a valid ZIP or postal code.');
    expect(page.text).not.toContain('value="lead"');
  }
  expect((await at('ABC', '&lang=es')).text).toContain('Introduzca un código postal válido.');
  const outside = await at('99501', '&lang=en');
  expect(outside.text).toContain('99501 is outside our service area');
  expect(outside.text).toContain('value="lead"');
  expect((await at('99501', '&lang=es')).text).toContain('No prestamos servicio en 99501');

  const withAgent = async (agent: object) => {
    const of = await bookable({ services: [offered], agents: [{ Name: 'Ann', TimeSlots: weekdays(), ...agent }] });
    return `${await bookingLink(of)}?service=${of.services['Lawn care']}&lang=en&zip=`;
  };
  expect((await openPage(`${await withAgent({})}00000`)).text).toContain('We can&#39;t find 00000');
  const full = await openPage(`${await withAgent({ EndDate: '2020-01-01' })}62701`);
  expect(full.text).toContain('Nothing is available in ');
  expect(full.text).toContain('We will contact you to find a time.');
});

describe('who is outside the area', () => {
  const leave = async (fields: Record<string, string>, more = ''): Promise<OpenedPage> =>
    sendForm(link, await at('99501', more), 'lead', fields);

  test('leaves a name and a phone or an e-mail: a contact with a note and its source, and a task of the office', async () => {
    const fields = { name: 'Lea Lead', phone: '', email: 'lea@example.com', note: 'Two lawns' };
    const sent = await leave(fields, '&utm_source=news');
    expect(sent.status).toBe(303);
    const thanks = await openPage(onStack(new URL(sent.headers.get('location') ?? '', link).href));
    expect(thanks.text).toContain('Thank you, we have your details');
    const [contact] = await contactsOf('lea@example.com');
    expect(contact).toMatchObject({ Name: 'Lea Lead', Zip: '99501', UtmSource: 'news' });
    expect(contact?.Notes?.[0]?.Body).toContain('for Lawn care at 99501, where nobody can come.\nTwo lawns');
    const [task] = await tasksOf(contact?.Id);
    expect(task?.Description).toContain('Lea Lead, lea@example.com');
    expect(task?.Description).toContain('Two lawns');
  });

  test('leaves no character that a contact of the API cannot have', async () => {
    await leave({ name: 'N\0ull', phone: '', email: 'null@example.com', note: 'a\0b' });
    const [contact] = await contactsOf('null@example.com');
    expect(contact).toMatchObject({ Name: 'Null' });
    expect((await company.call('contacts/addupdate', { Matches: [contact] })).status).toBe(200);
    const booking = readContactFields(new URLSearchParams({ name: 'N\0ull', city: ' \0' }), { isClient: false });
    expect(booking.values).toMatchObject({ name: 'Null', city: '' });
    expect(booking.missing).toContain('city');
  });

  test('learns what is wrong where the service or the postal code of a form does not exist any more', async () => {
    for (const gone of [{ service: '9999' }, { zip: 'ABC' }] as Record<string, string>[]) {
      const refused = await leave({ name: 'Ana', phone: '217-555-0199', ...gone });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Please check the highlighted')]);
    }
    const timeless = await sendForm(link, await at('99501'), 'lead', { action: 'book', slot: '' });
    expect([timeless.status, timeless.text]).toEqual([400, expect.stringContaining('Something went wrong.')]);
  });

  test('who exists already stays as it is, gets a task, and the answer is the same', async () => {
    const Matches = [{ Name: 'Known Person', Email: 'known@example.com', Address1: '99 Secret Road', Zip: '62701' }];
    await company.call('contacts/addupdate', { Matches });
    const [unknown, known] = [
      await leave({ name: 'New Person', email: 'new@example.com', phone: '217-555-0101', note: '' }),
      await leave({ name: 'Known Person', email: 'KNOWN@example.com', phone: '217-555-0102', note: '' }),
    ];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect(known.headers.get('location')).toBe(unknown.headers.get('location'));
    const found = await contactsOf('known@example.com');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ Address1: '99 Secret Road', Zip: '62701', Phone: '', Notes: [] });
    const [task] = await tasksOf(found[0]?.Id);
    expect(task?.Description).toContain('217-555-0102');
  });

  test('takes as many requests of the table whether its e-mail is known or not', async () => {
    const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
    const target = { page: 'booking', account: company.accountId, id: 1, generation: 0, lastDay: 0 } as const;
    const costOf = async (Name: string, Email: string) => {
      const meter = new Meter();
      const table = openTable({ tableName, endpoint, meter });
      const call = { target, now: new Date(), requestId: 'test', sourceIp: '203.0.113.9' };
      const contact = { Name, Email, Phone: '', Zip: '99501' };
      const form = Email.replaceAll(/\W/g, '-').padEnd(22, '-');
      await table.commit(
        await leaveLead(clientContext(table, call), {
          form,
          service: { Name: 'Lawn care' },
          month: undefined,
          contact,
          note: 'Hello',
        }),
      );
      const { requests, rounds } = meter.usage;
      return { requests, rounds };
    };
    // The first of a container reads what it remembers, and leases ids.
    await costOf('First Person', 'first@example.com');
    await costOf('Second Person', 'second@example.com');
    const unknown = await costOf('Third Person', 'third@example.com');
    expect(await costOf('Second Person', 'SECOND@example.com')).toEqual(unknown);
  });

  test('a form that is sent several times at once stores one lead', async () => {
    const page = await at('99501');
    const fields = { name: 'Twice', email: 'twice@example.com', phone: '', note: '' };
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(link, page, 'lead', fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const found = await contactsOf('twice@example.com');
    expect(found).toHaveLength(1);
    expect(await tasksOf(found[0]?.Id)).toHaveLength(1);
  });

  test('learns what is missing or wrong, keeps what was typed, and is refused beyond the limits of bookings', async () => {
    const missing = await leave({ name: ' ', phone: ' ', email: '', note: 'Kept' });
    expect(missing.status).toBe(400);
    for (const text of ['id="name-error"', 'Enter a phone number or an e-mail address.', '>Kept<'])
      expect(missing.text).toContain(text);
    const wrong = await leave({ name: 'Ana', phone: '', email: 'nobody', note: '' });
    expect([wrong.status, wrong.text.includes('id="email-error"')]).toEqual([400, true]);
    const fields = { ...hiddenFields((await at('99501')).text, 'lead'), name: '', phone: '', email: '' };
    const answers = await Promise.all(Array.from({ length: 24 }, () => sendFrom('127.0.170.1', link, fields)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

test('a postal code of another organization leads there, and a client by its own link learns whom to call', async () => {
  const { accountId } = company;
  await testTable().commit([
    ...newOrganizationChanges({ account: accountId }, { Id: 77, PublicName: 'North Branch' }),
    organizationCountChange({ account: accountId }),
  ]);
  const owned = await postalOwnershipChanges(accountStore(testTable(), accountId), 77, {
    before: [],
    after: ['99502'],
  });
  if (owned.kind !== 'ready') throw new Error(owned.kind);
  await testTable().commit(owned.changes);
  expect((await at('99502')).text).toContain('Please book with North Branch.');
  const person = { OrganizationId: company.organizationId, Name: 'Own', Email: 'own@x.com', Zip: '99501' };
  const added = await company.call('contacts/addupdate', person);
  const own = onStack((added.body['Matches'] as Contact[])[0]?.BookingUrl ?? '');
  const page = await openPage(`${own}?service=${company.services['Lawn care']}`);
  expect(page.text).toContain('99501 is outside our service area');
  expect(page.text).not.toContain('value="lead"');
  expect((await sendForm(own, page, 'lead', { name: 'x', phone: '1' })).status).not.toBe(200);
});
