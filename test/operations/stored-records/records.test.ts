import { beforeAll, describe, expect, test } from 'vitest';
import { keyEntryEntity } from '../../../lib/entities/api-keys.ts';
import { appointmentEntity } from '../../../lib/entities/appointments.ts';
import { blogEntity } from '../../../lib/entities/blogs.ts';
import { callEntity } from '../../../lib/entities/calls.ts';
import { contactEntity, type Contact } from '../../../lib/entities/contacts.ts';
import type { Entity } from '../../../lib/entities/declaration/entity.ts';
import { invoiceEntity, type Invoice } from '../../../lib/entities/invoices.ts';
import { organizationEntity } from '../../../lib/entities/organizations.ts';
import { partEntity } from '../../../lib/entities/parts.ts';
import { paymentEntity, type Payment } from '../../../lib/entities/payments.ts';
import { proposalEntity, type Proposal } from '../../../lib/entities/proposals.ts';
import { serviceAgentEntity } from '../../../lib/entities/service-agents.ts';
import { serviceEntity } from '../../../lib/entities/services.ts';
import { taskEntity } from '../../../lib/entities/tasks.ts';
import { uploadEntity } from '../../../lib/entities/uploads.ts';
import { userEntity } from '../../../lib/entities/users.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { type Key, attributes, layout } from '../../../lib/store/keys.ts';
import { partKey } from '../../../lib/store/pricebook/parts.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { putBlogs } from '../../support/settings.ts';
import { testTable } from '../../support/stack/stack.ts';
import { eventsOf } from '../../support/stack/branches.ts';
import { itemsOf, kindOf } from '../../support/stored-records.ts';

/** An attribute that this version does not know. */
const FUTURE = { FromTheFuture: { Kept: [1, 'two', null] } };

let company: Bookable;
let contactId: number;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann', TimeSlots: weekdays() }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
  const { body } = await company.call('contacts/addupdate', { Name: 'Ana Diaz', Email: 'ana.stored@example.com' });
  contactId = (body['Matches'] as Contact[])[0]?.Id ?? 0;
});

/** Stores the item as a version wrote it that knew the required fields only, or a later one that knows one more. */
async function rewrite(key: Key, change: (item: Item) => Item): Promise<void> {
  const item = await testTable().get(key);
  if (!item) throw new Error(`${key.PK} is missing`);
  await testTable().commit([{ put: change(item) }]);
}

const withoutDefaults =
  ({ fields }: Entity) =>
  (item: Item): Item => {
    const kept = Object.entries(item).filter(([name]) => fields[name] === undefined || fields[name].options.required);
    return { ...(Object.fromEntries(kept) as Item), V: item['V'] };
  };

type Json = Readonly<Record<string, unknown>>;

/** The resources in an answer that have the id of the record. */
function resourcesIn(answer: unknown, entity: Pick<Entity, 'name' | 'fields'>, id: number): Json[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const inner = Object.values(answer).flatMap((part) => resourcesIn(part, entity, id));
  const { Id = (answer as Json)[`${entity.name}Id`] } = answer as Json;
  const shared = Object.keys(entity.fields).filter((name) => name in answer);
  return Id === id && shared.length > 5 ? [answer as Json, ...inner] : inner;
}

/** Fields that the resource has in another form, or by a rule, though the record has the name. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  Appointment: ['ActualStart'],
  Invoice: ['CanAcceptClientPayment', 'InvoiceType'],
};

/** What an answer must have of a record that was stored without the fields that have a default. */
function expectDeclaredValues(text: string, entity: Pick<Entity, 'name' | 'fields'>, id: number): void {
  const { name, fields } = entity;
  const [shown = {}] = resourcesIn(JSON.parse(text), entity, id);
  const expected = Object.entries(fields).flatMap(([field, { options, absent, toOutput }]) => {
    const as = typeof options.resource === 'string' ? options.resource : field;
    if (options.required || options.optional || options.secret || !(as in shown)) return [];
    if (otherwise[name]?.includes(field)) return [];
    return [[as, toOutput ? toOutput(absent as never) : absent] as const];
  });
  expect(expected.length).toBeGreaterThan(3);
  expect(shown).toMatchObject(Object.fromEntries(expected));
}

/** A kind of record: one of the company, an operation that reads it, and one that changes it. */
interface Case {
  readonly name: string;
  readonly entity: Entity;
  /** Makes a record and returns its id. */
  readonly create: () => Promise<number>;
  readonly key: (id: number) => Key;
  readonly read: (id: number) => Promise<{ status: number; text: string }>;
  readonly change: (id: number) => Promise<{ status: number; text: string }>;
}

const account = () => ({ account: company.accountId });
const createTask = async () =>
  Number((await company.call('task/create', { ContactId: contactId, Description: 'Call' })).body['TaskId'] ?? 0);
const work = (Rate: number) => [{ Description: 'Work', Rate, Qty: 2 }];
const createInvoice = async () => {
  const { body } = await company.call('invoice/import', {
    Invoice: { ContactId: contactId, Lines: work(10), Terms: 'Net 30' },
  });
  return (body['Invoice'] as Invoice).Id ?? 0;
};

const cases: readonly Case[] = [
  {
    name: 'contact',
    entity: contactEntity as unknown as Entity,
    create: async () => {
      const Email = `stored${Math.random()}@example.com`;
      const { body } = await company.call('contacts/addupdate', { Name: 'Bea Roe', Email, Company: 'Roe' });
      return (body['Matches'] as Contact[])[0]?.Id ?? 0;
    },
    key: (id) => layout.contact.key({ ...account(), id }),
    read: (id) => company.call('contacts/locate', { IdSearch: id }),
    change: (id) => company.call('contacts/addupdate', { Id: id, Name: 'Bea Doe', Email: `b${id}@example.com` }),
  },
  {
    name: 'task',
    entity: taskEntity as unknown as Entity,
    create: createTask,
    key: (id) => layout.task.key({ ...account(), id }),
    read: (id) => company.call('task/query', { TaskId: id }),
    change: (id) => company.call('task/complete', { TaskId: id, Note: 'Done' }),
  },
  {
    name: 'appointment',
    entity: appointmentEntity as unknown as Entity,
    create: async () =>
      slotIn(await company.book('Ann', '2027-03-08T09:00', { SkipConflictChecks: true })).AppointmentId,
    key: (id) => layout.appointment.key({ ...account(), id }),
    read: (id) => company.call('appointments/find', { AppointmentId: id }),
    change: (id) => company.call('appointments/cancel', { AppointmentId: id, CancelReasonId: 1 }),
  },
  {
    name: 'proposal',
    entity: proposalEntity as unknown as Entity,
    create: async () => {
      const Lines = [{ LineDescription: 'Extra', Quantity: 1, UnitPrice: 5 }];
      const { body } = await company.call('proposal/create', {
        ContactId: contactId,
        ServiceName: 'Lawn care',
        ProposalLines: Lines,
      });
      return (body as unknown as Proposal).Id;
    },
    key: (id) => layout.proposal.key({ ...account(), id }),
    read: (id) => company.call('proposal/details', { Id: id }),
    change: (id) => company.call('proposal/update', { Id: id, Title: 'Spring' }),
  },
  {
    name: 'invoice',
    entity: invoiceEntity as unknown as Entity,
    create: createInvoice,
    key: (id) => layout.invoice.key({ ...account(), id }),
    read: (id) => company.call('invoice/get', { InvoiceId: id }),
    change: (id) =>
      company.call('invoice/import', { InvoiceId: id, Invoice: { Id: id, Terms: 'Net 60', Lines: work(20) } }),
  },
  {
    name: 'payment',
    entity: paymentEntity as unknown as Entity,
    create: async () => {
      const InvoiceId = await createInvoice();
      const { body } = await company.call('payment/import', { Payment: { InvoiceId, Amount: 5, Reference: 'Cash' } });
      return (body['Payment'] as Payment).Id ?? 0;
    },
    key: (id) => layout.payment.key({ ...account(), id }),
    read: () => company.call('payment/query', { ContactId: contactId }),
    change: (id) => company.call('payment/import', { PaymentId: id, Payment: { Id: id, Method: 'Card' } }),
  },
  {
    name: 'organization',
    entity: organizationEntity as unknown as Entity,
    create: async () => {
      const { body } = await company.call('organizations/create', { Name: `Boulder ${Math.random()}` });
      return Number(
        (body['Organization'] as { OrganizationId: number } | undefined)?.OrganizationId ?? body['OrganizationId'],
      );
    },
    key: (id) => layout.organization.key({ ...account(), id }),
    read: (id) => company.call('organizations/details', { OrganizationId: id }),
    change: (id) => company.call('organizations/update', { OrganizationId: id, Name: `Denver ${id}`, Radius: 5 }),
  },
];

describe.each(cases)('a $name', ({ entity, create, key, read, change }) => {
  test('without any field that has a value when absent is read and changed', async () => {
    const id = await create();
    expect(id).toBeGreaterThan(0);
    await rewrite(key(id), withoutDefaults(entity));
    const found = await read(id);
    expect(found.status, found.text).toBe(200);
    expectDeclaredValues(found.text, entity, id);
    const changed = await change(id);
    expect(changed.status, changed.text).toBe(200);
    expect((await read(id)).status).toBe(200);
  });

  test('keeps what a later version has written when it is changed', async () => {
    const id = await create();
    await rewrite(key(id), (item) => ({ ...item, ...FUTURE }));
    expect((await read(id)).status).toBe(200);
    const changed = await change(id);
    expect(changed.status, changed.text).toBe(200);
    expect(await testTable().get(key(id))).toMatchObject({ ...FUTURE, V: 2 });
  });
});

describe('of the price book and the people', () => {
  test('services, parts, agents and users without any field that has a value when absent are read', async () => {
    const { book } = await writeBook(company.accountId, { parts: [{ Name: 'Rope', UnitPrice: 5 }] });
    const [part, service] = [findId(book, 'parts', 'Rope'), company.services['Lawn care'] ?? 0];
    const key = await company.newKey({ role: 'Owner', organizationId: company.organizationId });
    const created = await company.call(
      'user/create',
      { Name: 'Uma', Email: `uma${Math.random()}@example.com` },
      { key },
    );
    expect(created.status, created.text).toBe(200);
    await rewrite(partKey({ account: company.accountId }, part), withoutDefaults(partEntity as unknown as Entity));
    await rewrite(
      layout.service.key({ ...account(), id: service }),
      withoutDefaults(serviceEntity as unknown as Entity),
    );
    for (const [partition, entity] of [
      [layout.serviceAgent.of(account()), serviceAgentEntity as unknown as Entity],
      [layout.user.of(account()), userEntity as unknown as Entity],
    ] as const)
      for (const item of (await testTable().query({ partition, consistent: true })).items)
        await rewrite(item, withoutDefaults(entity));
    const answers = await Promise.all([
      company.call('part/details', { Id: part }),
      company.call('services/details', { Id: service }),
      company.call('serviceagents/all'),
      company.call('user/all'),
      company.call('organizations/details', { OrganizationId: company.organizationId }),
    ]);
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(answers.map(() => 200));
    const read = [partEntity, serviceEntity, serviceAgentEntity, userEntity] as unknown as Entity[];
    for (const [index, id] of [part, service, 1, 1].entries())
      expectDeclaredValues(answers[index]?.text ?? '', read[index] as Entity, id);
  });
});

test('an article without any field that has a value when absent is read as it is declared', async () => {
  await putBlogs(company.accountId, [{ Title: 'Spring', Summary: 'Seeds', Tags: ['lawn'], Content: 'Sow.' }]);
  await rewrite(layout.blog.key({ ...account(), id: 1 }), withoutDefaults(blogEntity as unknown as Entity));
  const found = await company.call('blogs/get', { IdSearch: '1' });
  expect(found.status, found.text).toBe(200);
  expectDeclaredValues(found.text, blogEntity as unknown as Entity, 1);
});

describe('of which no operation returns the record, but its events do', () => {
  const upload = { ContactId: 0, Note: 'Plan' };
  const file = { Filename: 'plan.txt', ContentType: 'text/plain', Content: 'SGVsbG8=' };
  const records = [
    {
      kind: 'call',
      entity: callEntity as unknown as Entity,
      create: () => company.call('contacts/logcall', { Chars: JSON.stringify({ Phone: '217-555-0100', Note: 'Hi' }) }),
    },
    {
      kind: 'upload',
      entity: uploadEntity as unknown as Entity,
      create: () => company.call('contacts/upload', { upload: { ...upload, ContactId: contactId }, files: [file] }),
    },
    {
      kind: 'key',
      entity: keyEntryEntity as unknown as Entity,
      create: () => company.newKey({ role: 'Office', allow: ['contacts/*'], readOnly: true }),
    },
  ];
  test.each(records)('a $kind without them is shown as it is declared', async ({ kind, entity, create }) => {
    await create();
    const [item] = (await itemsOf(company)).filter((one) => kindOf(one) === entity.name).slice(-1);
    expect(item).toBeDefined();
    await rewrite(item as Item, (stored) => ({
      ...withoutDefaults(entity)(stored),
      V: Number(stored['V']) + 1,
      [attributes.entity]: entity.name,
    }));
    const event = (await eventsOf(company)).findLast(({ Kind }) => Kind.startsWith(`${kind}.`));
    expectDeclaredValues(JSON.stringify(event?.Data), entity, Number(item?.['Id']));
  });
});

test('a field of another type is a clear failure that names the record and the field, and never its value', async () => {
  const id = await createTask();
  await rewrite(layout.task.key({ ...account(), id }), (item) => ({ ...item, Note: 7731 }));
  const answer = await company.call('task/complete', { TaskId: id });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('7731');
});
