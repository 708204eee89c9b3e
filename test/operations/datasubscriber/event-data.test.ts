import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import { layout } from '../../../lib/store/keys.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { svgUri } from '../../support/signatures.ts';
import { drainEvents, testTable } from '../../support/stack/stack.ts';

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
      const body = await call('appointments/query', { ContactId: company.contact, Take: 500 });
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
      listOf(await call('payment/query', { ContactId: company.contact, Take: 500 }), 'Payments').find(withId(id)),
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
    omitted: ['CalendarUrl'],
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

/** Data of the newest event of each record, by the noun of its kind and its id. */
const newest = new Map<string, Fields>();

/** The same, after all events that are there now. */
async function newestData(): Promise<ReadonlyMap<string, Fields>> {
  await drainEvents();
  const fetch = async (request: object) =>
    (await company.call('datasubscriber/fetch', request)).body['Events'] as DataSubscriberEvent[];
  for (let events = await fetch({ EventCount: 500 }); events.length;) {
    for (const { Payload } of events) {
      const { Kind = '', Id = 0, Data } = Payload ?? {};
      newest.set(`${Kind.split('.')[0]} ${Id}`, Data as unknown as Fields);
    }
    events = await fetch({ EventCount: 500, ClearThroughId: events.at(-1)?.Id });
  }
  return newest;
}

/** The Data of its newest event is what the operation of a record returns, field by field. */
async function expectMirrored({ noun, read, added = [], omitted = [] }: Case, id: number, data: Fields) {
  const { ResultCode: _, Message: __, ...resource } = (await read(id)) ?? {};
  expect(Object.keys(resource).length).toBeGreaterThan(5);
  const compared = Object.keys(resource).filter((name) => !omitted.includes(name));
  for (const name of compared) expect([noun, id, name, data[name]]).toEqual([noun, id, name, resource[name]]);
  expect(
    Object.keys(data)
      .filter((name) => !compared.includes(name))
      .toSorted(),
  ).toEqual([...added, ...omitted.filter((name) => name in data)].toSorted());
}

describe.each(cases)('Data of an event of a $noun', (kind) => {
  test('is what the operation of the record returns, field by field', async () => {
    const id = await kind.make();
    await expectMirrored(kind, id, (await newestData()).get(`${kind.noun} ${id}`) ?? {});
  });
});

/** A change of a record by its id, with a text and a number; one that its state forbids changes nothing. */
type Change = (id: number, text: string, number: number) => Promise<unknown>;

/** The answer of a call that must succeed unless the state of the record forbids it. */
async function attempt(operation: string, body: object): Promise<Fields> {
  const answer = await company.call(operation, body);
  expect([200, 409], `${operation}: ${answer.text.slice(0, 500)}`).toContain(answer.status);
  return answer.body;
}

const on = (number: number) => new Date(Date.UTC(2027, 4, 3 + number, 15)).toISOString();

const creations: Readonly<Record<string, (text: string, number: number) => Promise<unknown>>> = {
  contact: async (Name) => listOf(await call('contacts/addupdate', { Name, OrganizationId: 1 }), 'Matches')[0]?.['Id'],
  task: async (text, number) =>
    (await call('task/create', { ContactId: company.contact, Description: text, Due: on(number) }))['TaskId'],
  appointment: async (Notes, number) =>
    slotIn(await company.book('Ann', on(number), { SkipConflictChecks: true, Notes })).AppointmentId,
  proposal: async (Title, Quantity) =>
    (
      await call('proposal/create', {
        ContactId: company.contact,
        ServiceName: 'Lawn care',
        Title,
        Status: 'Open',
        ProposalLines: [{ Part: { Id: part }, Quantity }],
      })
    )['Id'],
  invoice: createInvoice,
};

const changes: Readonly<Record<string, readonly Change[]>> = {
  contact: [
    (Id, Company) => call('contacts/addupdate', { Id, Company }),
    (Id, text, number) => call('contacts/addupdate', { Id, Tags: [text], Phone: `217555${1000 + number}` }),
    (Id, Nickname, number) => call('contacts/addupdate', { Id, Nickname, Unsubscribed: number % 2 === 0 }),
    (Id) => call('contacts/addupdate', { Id, Company: null }),
  ],
  task: [
    (TaskId, Note) => attempt('task/complete', { TaskId, Note }),
    (Id, Description, number) => attempt('task/update', { TaskId: Id, Task: { Description, Due: on(number) } }),
  ],
  appointment: [
    (AppointmentId, UpdateNote) => attempt('appointments/update', { AppointmentId, UpdateNote }),
    (AppointmentId, _, number) =>
      attempt('appointments/update', {
        AppointmentId,
        SkipConflictChecks: true,
        Slots: [{ DateTime: on(number), ServiceAgentId: company.agents[number % 2 ? 'Ann' : 'Bob'] }],
      }),
    (AppointmentId, _, number) =>
      attempt('appointments/update', {
        AppointmentId,
        UpdateActuals: true,
        ActualStart: '2026-03-09T09:05',
        ...(number % 2 ? { ActualFinish: '2026-03-09T10:00' } : {}),
      }),
    (AppointmentId, _, Amount) => attempt('appointments/addtip', { AppointmentId, Amount }),
    (Id, Note, number) => attempt('appointments/feedback', { Id, Score: number % 11, Note }),
    (AppointmentId) => attempt('appointments/queue', { AppointmentId }),
  ],
  proposal: [
    (Id, Title, Quantity) => attempt('proposal/update', { Id, Title, Quantity }),
    (Id, _, Quantity) => attempt('proposal/update', { Id, ProposalLines: [{ Part: { Id: part }, Quantity }] }),
    (Id, _, number) => attempt('proposal/update', { Id, Status: number % 2 ? 'Declined' : 'Open' }),
    (ProposalId, Name) => attempt('proposal/accept', { ProposalId, Name, SignatureData: svgUri }),
  ],
  invoice: [
    (InvoiceId, Terms) => attempt('invoice/import', { InvoiceId, Invoice: { Terms } }),
    (InvoiceId, Description, Qty) =>
      attempt('invoice/import', { InvoiceId, Invoice: { Lines: [{ Description, Qty, Rate: 30 }] } }),
    (InvoiceId, Reference, Amount) =>
      attempt('payment/import', { Payment: { InvoiceId, Amount, Reference, Method: 'Check' } }),
    (InvoiceId, _, number) =>
      attempt('invoice/import', {
        InvoiceId,
        Invoice: number % 5 ? { Number: `R-${InvoiceId}-${number}` } : { Status: 'Voided' },
      }),
  ],
};

test('after random changes, Data of the newest event of every record is what its operation returns', async () => {
  const step = fc.record({
    noun: fc.constantFrom(...Object.keys(creations)),
    pick: fc.nat(9),
    change: fc.nat(9),
    text: fc.constantFrom('Elm', 'Fir & co', 'Grün', 'a "b"'),
    number: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      const made = new Map<string, number[]>(Object.keys(creations).map((noun) => [noun, []]));
      for (const { noun, pick, change, text, number } of steps) {
        const ids = made.get(noun) ?? [];
        const id = ids[pick % 3];
        if (id === undefined) ids.push(Number(await creations[noun]?.(text, number)));
        else await changes[noun]?.[change % (changes[noun]?.length ?? 1)]?.(id, text, number);
      }
      const data = await newestData();
      for (const kind of cases)
        for (const id of made.get(kind.noun) ?? [])
          await expectMirrored(kind, id, data.get(`${kind.noun} ${id}`) ?? {});
    }),
    { numRuns: Number(process.env['EVENT_RUNS'] ?? 1), endOnFailure: true },
  );
});
