import { beforeAll, describe, expect, test } from 'vitest';
import type { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { layout } from '../../lib/store/keys.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../support/scheduling.ts';
import { drainEvents, testTable } from '../support/stack/stack.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A kind of record: how it gets every kind of value that it can have, and the operation that returns it. */
interface Case {
  /** The first word of the Kind of its events. */
  readonly noun: string;
  /** Makes and changes a record and returns its id. */
  readonly make: () => Promise<number>;
  readonly read: (id: number) => Promise<Fields | undefined>;
  /** What only the Data of its events has. */
  readonly added?: readonly string[];
  /** What the Data of its events lacks, or has for every subscriber alike. */
  readonly omitted?: readonly string[];
}

let company: Bookable;
let part: number;

const agentHours = weekdays();

beforeAll(async () => {
  company = await bookable({
    agents: [
      { Name: 'Ann', Email: 'ann.mirror@example.com', TimeSlots: agentHours },
      { Name: 'Bob', Email: 'bob.mirror@example.com', TimeSlots: agentHours },
    ],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
  const { book } = await writeBook(company.accountId, {
    parts: [{ Name: 'Rope', UnitPrice: 5, Category: 'Tools', QtyPricing: [{ AtLeast: 10, Price: 4 }] }],
    revenueCategories: [{ Name: 'Garden', Percentage: 5 }],
    services: [
      {
        Name: 'Hedge care',
        BasePrice: 40,
        BaseDuration: 30,
        BrandingRevenueCategory: { Name: 'Garden' },
        PricingBands: [{ AtLeast: 5, Price: 9 }],
      },
    ],
  });
  part = findId(book, 'parts', 'Rope');
});

/** The answer of a call that must succeed. */
async function call(operation: string, body: object): Promise<Fields> {
  const answer = await company.call(operation, body);
  expect(answer.status, `${operation}: ${answer.text.slice(0, 500)}`).toBe(200);
  return answer.body;
}

const listOf = (body: Fields, name: string) => body[name] as readonly Fields[];
const withId = (id: number) => (record: Fields) => record['Id'] === id;
const createInvoice = async () => {
  const Lines = [{ Description: 'Work', Rate: 10, Qty: 2 }];
  const { Invoice } = await call('invoice/import', { Invoice: { ContactId: company.contact, Lines, Terms: 'Net 30' } });
  return (Invoice as Fields)['Id'] as number;
};

const cases: readonly Case[] = [
  {
    noun: 'contact',
    make: async () => {
      const contact = {
        Name: 'Bea Roe',
        Email: 'bea.mirror@example.com',
        Phone: '8045550123',
        Zip: '23220',
        Tags: ['VIP'],
      };
      const Id = listOf(await call('contacts/addupdate', contact), 'Matches')[0]?.['Id'] as number;
      await call('contacts/addnote', { ContactId: Id, Note: { Title: 'Gate', Body: 'Code 4711' } });
      await call('contacts/addupdate', { Id, Company: 'Roe' });
      return Id;
    },
    read: async (IdSearch) => listOf(await call('contacts/locate', { IdSearch }), 'Matches')[0],
  },
  {
    noun: 'task',
    make: async () => {
      const { TaskId } = await call('task/create', {
        ContactId: company.contact,
        Description: 'Call',
        Due: '2027-01-04T09:00',
      });
      await call('task/complete', { TaskId, Note: 'Done' });
      return TaskId as number;
    },
    read: async (id) => listOf(await call('task/query', { TaskId: id }), 'Tasks').find(withId(id)),
  },
  {
    noun: 'appointment',
    make: async () => {
      const booked = await company.book('Ann', '2026-03-09T09:00', {
        SkipConflictChecks: true,
        Notes: 'Gate code 4711.',
        NotificationOptions: ['text'],
        Slots: [
          {
            DateTime: '2026-03-09T09:00',
            ServiceAgentId: company.agents['Ann'],
            AdditionalServiceAgents: [{ Duration: 30, ServiceAgent: { Id: company.agents['Bob'] } }],
            AddOnParts: [{ PartId: part, Quantity: 2 }],
            CustomProperties: { Floor: 2 },
          },
        ],
      });
      const { AppointmentId } = slotIn(booked);
      const ActualFinish = '2026-03-09T10:00';
      await call('appointments/update', {
        AppointmentId,
        UpdateActuals: true,
        ActualStart: '2026-03-09T09:05',
        ActualFinish,
      });
      await call('appointments/addtip', { AppointmentId, Amount: 5 });
      await call('appointments/feedback', { Id: AppointmentId, Score: 9, Note: 'Fine' });
      return AppointmentId;
    },
    read: async (id) => {
      const body = await call('appointments/query', { ContactId: company.contact });
      return listOf(body, 'Appointments').find(({ AppointmentId }) => AppointmentId === id);
    },
  },
  {
    noun: 'proposal',
    make: async () => {
      const ProposalLines = [
        { Part: { Id: part }, Quantity: 2 },
        { LineDescription: 'Extra', Quantity: 1, UnitPrice: 5, IsInternal: true },
      ];
      const created = { ContactId: company.contact, ServiceName: 'Lawn care', ProposalLines };
      const { Id } = await call('proposal/create', created);
      await call('proposal/update', { Id, Title: 'Spring' });
      return Id as number;
    },
    read: (Id) => call('proposal/details', { Id }),
    added: ['EvidenceSha256', 'ExpiresAt'],
    omitted: ['Contact'],
  },
  {
    noun: 'invoice',
    make: async () => {
      const id = await createInvoice();
      const item = await testTable().get(layout.invoice.key({ account: company.accountId, id }));
      if (!item) throw new Error('the invoice is missing');
      const lines = item['Lines'] as Fields[];
      // A line of a visit of a subscription has its share of the tax.
      const Lines = lines.map((line) => ({ ...line, TaxShare: { Extended: 20, TaxRate: 5, Tax: 0.33 } }));
      await testTable().commit([{ put: { ...item, Lines, V: Number(item['V']) + 1, Terms: 'Net 60' } }]);
      return id;
    },
    read: async (InvoiceId) => (await call('invoice/get', { InvoiceId }))['Invoice'] as Fields,
  },
  {
    noun: 'payment',
    make: async () => {
      const Payment = { InvoiceId: await createInvoice(), Amount: 5, Reference: 'Cash', TransactionId: 'T-mirror' };
      return ((await call('payment/import', { Payment }))['Payment'] as Fields)['Id'] as number;
    },
    read: async (id) =>
      listOf(await call('payment/query', { ContactId: company.contact }), 'Payments').find(withId(id)),
  },
  {
    noun: 'organization',
    make: async () => {
      const OrganizationId = company.organizationId;
      await call('organizations/update', {
        OrganizationId,
        Radius: 25,
        TaxpayerID: '12-3456789',
        StartAddress: { Zip: '23220' },
      });
      return OrganizationId;
    },
    read: async () => listOf(await call('organizations/query', {}), 'Organizations')[0],
    added: ['Holidays', 'OpenSince', 'SlotSearchWindowDays'],
    omitted: ['Users', 'AccountManager', 'TaxpayerID'],
  },
  {
    noun: 'serviceagent',
    make: async () => company.agents['Bob'] ?? 0,
    read: async (id) => listOf(await call('serviceagents/all', {}), 'Matches').find(withId(id)),
  },
  {
    noun: 'user',
    make: async () => (await call('user/create', { Name: 'Uma', Email: 'uma.mirror@example.com' }))['UserId'] as number,
    read: async (id) => listOf(await call('user/all', {}), 'Matches').find(withId(id)),
  },
  {
    noun: 'service',
    make: async () => {
      const all = listOf(await call('services/all', {}), 'Matches');
      return all.find(({ Name }) => Name === 'Hedge care')?.['Id'] as number;
    },
    read: async (Id) => listOf(await call('services/details', { Id }), 'Matches')[0],
    added: [
      'BrandingRevenueCategoryId',
      'Category',
      'CustomProperties',
      'RecordWeatherData',
      'RecurringDescription',
      'SelfSelect',
    ],
  },
  {
    noun: 'part',
    make: () => Promise.resolve(part),
    read: async (Id) => (await call('part/details', { Id }))['Part'] as Fields,
    added: ['DistributionEnd', 'DistributionStart', 'RangePricing', 'SelfSelect', 'StoreItemId'],
  },
];

/** Data of the newest event of a record. */
async function newestData(noun: string, id: number): Promise<Fields> {
  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const payloads = (body['Events'] as DataSubscriberEvent[]).map(({ Payload }) => Payload);
  const newest = payloads.findLast((event) => event?.Id === id && event.Kind.startsWith(`${noun}.`));
  return newest?.Data as unknown as Fields;
}

describe.each(cases)('Data of an event of a $noun', ({ noun, make, read, added = [], omitted = [] }) => {
  test('is what the operation of the record returns, field by field', async () => {
    const id = await make();
    const [data, answer] = [await newestData(noun, id), (await read(id)) ?? {}];
    const { ResultCode: _, Message: __, ...resource } = answer;
    expect(Object.keys(resource).length).toBeGreaterThan(5);
    const compared = Object.keys(resource).filter((name) => !omitted.includes(name));
    for (const name of compared) expect([name, data[name]]).toEqual([name, resource[name]]);
    expect(
      Object.keys(data)
        .filter((name) => !compared.includes(name))
        .toSorted(),
    ).toEqual([...added, ...omitted.filter((name) => name in data)].toSorted());
  });
});
