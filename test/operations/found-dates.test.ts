import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DownloadKind } from '../../lib/domain/downloads/kind.ts';
import { layout } from '../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { svgUri } from '../support/signatures.ts';
import { downloadRows } from '../support/download-rows.ts';
import { writeBook } from '../support/price-book.ts';
import { type TestAccount, othersForget, testAccount, testTable } from '../support/stack/stack.ts';

/**
 * Records of organizations in random zones are given a date or a moment. The oracle knows what was given, and asks Intl
 * for the date of a moment where the organization is now.
 */

const RUNS = Number(process.env['DATE_RUNS'] ?? 1);

const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Pago_Pago',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
] as const;

/** Days around changes of clocks in America, Europe and Australia, and one without. */
const DAYS = ['2027-03-14', '2027-03-28', '2027-04-04', '2027-07-01', '2027-10-31', '2027-11-07'] as const;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const dateIn = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    Date.parse(moment),
  );

interface Kind {
  readonly name: string;
  readonly query: string;
  readonly fields: readonly [string, string];
  readonly list: string;
  readonly id: string;
  /** Whether a record may have a moment instead of a date; `only`: it has nothing else. */
  readonly takesMoments: boolean | 'only';
  readonly download?: DownloadKind;
  readonly create: (company: Company, organization: Organization, date: string) => Promise<unknown>;
  readonly madeId: (answer: Record<string, unknown>) => unknown;
}

interface Organization {
  readonly id: number;
  zone: string;
  readonly contact: number;
  readonly invoice: number;
  readonly agent: number;
  readonly key: string;
}

interface Company {
  readonly account: TestAccount;
  readonly organizations: readonly Organization[];
}

const call = async ({ account }: Company, operation: string, body: object, key = account.key) => {
  const answer = await account.call(operation, body, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const KINDS: readonly Kind[] = [
  {
    name: 'proposal',
    query: 'proposal/query',
    fields: ['FromDate', 'ThroughDate'],
    list: 'Proposals',
    id: 'Id',
    takesMoments: false,
    download: 'proposals',
    create: (company, { contact }, Date) =>
      call(company, 'proposal/create', { ContactId: contact, ServiceId: 1, Date }),
    madeId: ({ Id }) => Id,
  },
  {
    name: 'queued appointment',
    query: 'appointments/query',
    fields: ['FromDate', 'ThroughDate'],
    list: 'Appointments',
    id: 'AppointmentId',
    takesMoments: false,
    download: 'appointments',
    create: (company, { contact }, QueueDate) =>
      call(company, 'appointments/queue', { ContactId: contact, ServiceId: 1, QueueDate }),
    madeId: ({ AppointmentId }) => AppointmentId,
  },
  {
    name: 'scheduled appointment',
    query: 'appointments/query',
    fields: ['FromDate', 'ThroughDate'],
    list: 'Appointments',
    id: 'AppointmentId',
    takesMoments: 'only',
    create: (company, { contact, agent }, DateTime) =>
      call(company, 'appointments/book', {
        ContactId: contact,
        ServiceId: 1,
        Slots: [{ DateTime, ServiceAgentId: agent }],
        SkipConflictChecks: true,
      }),
    madeId: ({ AppointmentId }) => AppointmentId,
  },
  {
    name: 'invoice',
    query: 'invoice/query',
    fields: ['FromDate', 'ThroughDate'],
    list: 'Invoices',
    id: 'Id',
    takesMoments: true,
    download: 'invoices',
    create: (company, { contact }, Date) =>
      call(company, 'invoice/import', {
        Invoice: { ContactId: contact, Date, Lines: [{ Description: 'Work', Rate: 1, Qty: 1 }] },
      }),
    madeId: ({ InvoiceId }) => InvoiceId,
  },
  {
    name: 'payment',
    query: 'payment/query',
    fields: ['FromDate', 'ThroughDate'],
    list: 'Payments',
    id: 'Id',
    takesMoments: true,
    download: 'payments',
    create: (company, { invoice }, Date) =>
      call(company, 'payment/import', { Payment: { InvoiceId: invoice, Amount: 1, Date } }),
    madeId: ({ PaymentId }) => PaymentId,
  },
  {
    name: 'task',
    query: 'task/query',
    fields: ['DueFrom', 'DueThrough'],
    list: 'Tasks',
    id: 'Id',
    takesMoments: true,
    create: (company, { contact }, Due) =>
      call(company, 'task/create', { ContactId: contact, Description: 'Call', Due }),
    madeId: ({ TaskId }) => TaskId,
  },
];

async function openCompany(zones: readonly string[]): Promise<Company> {
  const account = await testAccount();
  const { accountId } = account;
  const table = testTable();
  const others = zones.map((Timezone, index) => ({ Id: index + 2, PublicName: `Branch ${index + 2}`, Timezone }));
  for (const each of others) await table.commit(newOrganizationChanges({ account: accountId }, each));
  const set = { Organizations: others.length + 1 };
  await table.update({ update: layout.account.key({ account: accountId }), set });
  await writeBook(accountId, { services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }] });
  const organizations: Organization[] = [];
  const company = { account, organizations };
  for (const { Id, Timezone } of others) {
    const key = await account.newKey({ role: 'Owner', organizationId: Id });
    const made = await call(company, 'contacts/addupdate', {
      Name: `Ana ${Id}`,
      Email: `ana${Id}@example.com`,
      OrganizationId: Id,
    });
    const contact = (made['Matches'] as { Id: number }[])[0]?.Id ?? 0;
    // Far from all dates: it is only what payments are for.
    const invoice = await call(company, 'invoice/import', {
      Invoice: { ContactId: contact, Date: '2026-01-01', Lines: [{ Description: 'Work', Rate: 900, Qty: 1 }] },
    });
    const ServiceAgents = [{ Name: `Ben ${Id}`, Email: `ben${Id}@example.com` }];
    await call(company, 'organizations/update', { OrganizationId: Id, ServiceAgents });
    const { Matches } = await call(company, 'serviceagents/all', {}, key);
    const agent = (Matches as { Id: number }[])[0]?.Id ?? 0;
    organizations.push({ id: Id, zone: Timezone, contact, invoice: invoice['InvoiceId'] as number, agent, key });
  }
  return company;
}

interface Given {
  readonly kind: Kind;
  readonly organization: Organization;
  readonly id: number;
  /** A calendar date, or a moment in UTC. */
  readonly date: string;
}

const shownDate = ({ date, organization }: Given): string =>
  date.length === 10 ? date : dateIn(date, organization.zone);

const idsOf = (given: readonly Given[]): number[] => given.map(({ id }) => id).sort((one, other) => one - other);

/** Every search of some days finds exactly what shows them. */
async function expectFound(company: Company, given: readonly Given[], day: string): Promise<void> {
  const { account, organizations } = company;
  const spans = [-1, 0, 1].map((days) => [dayAfter(day, days), dayAfter(day, days)] as const);
  for (const [first, last] of [...spans, [dayAfter(day, -1), day] as const])
    for (const kind of KINDS)
      for (const [key, seen] of [
        [account.key, given],
        ...organizations.map((each) => [each.key, given.filter(({ organization }) => organization === each)] as const),
      ] as const) {
        const [from, through] = kind.fields;
        const found = await call(company, kind.query, { [from]: first, [through]: last }, key);
        const ids = (found[kind.list] as Record<string, number>[]).map((record) => record[kind.id] ?? 0);
        const isListed = (each: Given) => each.kind.query === kind.query;
        const shown = seen.filter((each) => isListed(each) && shownDate(each) >= first && shownDate(each) <= last);
        expect([kind.name, first, last, found['Count'], ids.sort((one, other) => one - other)]).toEqual([
          kind.name,
          first,
          last,
          shown.length,
          idsOf(shown),
        ]);
      }
}

test('a record is found under the date that it shows, by every key, also when its organization has another zone', async () => {
  const zone = fc.constantFrom(...ZONES);
  const record = fc.record({
    kind: fc.nat(KINDS.length - 1),
    organization: fc.nat(1),
    days: fc.integer({ min: -1, max: 1 }),
    minute: fc.option(fc.integer({ min: 0, max: 24 * 60 - 1 }), { freq: 2 }),
  });
  const run = fc.record({
    day: fc.constantFrom(...DAYS),
    zones: fc.tuple(zone, zone),
    next: fc.tuple(zone, zone),
    records: fc.array(record, { minLength: 8, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ day, zones, next, records }) => {
      const company = await openCompany(zones);
      const given: Given[] = [];
      for (const { kind: number, organization: index, days, minute } of records) {
        const [kind, organization] = [KINDS[number], company.organizations[index]];
        if (!kind || !organization) continue;
        const calendarDate = dayAfter(day, days);
        const time = new Date((minute ?? 0) * 60_000).toISOString().slice(11, 19);
        const isDate = kind.takesMoments === false || (minute === null && kind.takesMoments !== 'only');
        const date = isDate ? calendarDate : `${calendarDate}T${time}Z`;
        const made = (await kind.create(company, organization, date)) as Record<string, unknown>;
        given.push({ kind, organization, id: kind.madeId(made) as number, date });
      }
      await expectFound(company, given, day);
      for (const [index, organization] of company.organizations.entries()) {
        const Timezone = next[index] ?? organization.zone;
        await call(company, 'organizations/update', { OrganizationId: organization.id, Timezone });
        organization.zone = Timezone;
      }
      await othersForget();
      await expectFound(company, given, day);
      for (const kind of KINDS)
        if (kind.download) {
          const shown = given.filter((each) => each.kind.query === kind.query && shownDate(each) <= day);
          const rows = await downloadRows(company.account, {
            Kind: kind.download,
            DateFrom: '2027-01-01',
            DateThrough: day,
          });
          const ids = rows.map((row) => (row as { Id: number }).Id);
          expect([kind.name, ids]).toEqual([kind.name, idsOf(shown)]);
        }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test('a record that an earlier version stored is found under its date too', async () => {
  const company = await openCompany(['Asia/Kolkata', 'America/Los_Angeles']);
  const { accountId: account } = company.account;
  const given: Given[] = [];
  for (const kind of KINDS.filter(({ takesMoments }) => takesMoments !== 'only'))
    for (const organization of company.organizations) {
      const made = (await kind.create(company, organization, '2027-05-01')) as Record<string, unknown>;
      given.push({ kind, organization, id: kind.madeId(made) as number, date: '2027-05-01' });
    }
  const keys = {
    Proposals: 'proposal',
    Appointments: 'appointment',
    Invoices: 'invoice',
    Payments: 'payment',
  } as const;
  for (const { kind, id } of given) {
    const key = layout[keys[kind.list as keyof typeof keys] ?? 'task'].key({ account, id });
    const { Day: _, Zone, F, ...item } = (await testTable().get(key)) ?? { ...key, F: {} };
    const { Y: __, L: ___, ...facts } = F as Record<string, unknown>;
    const zone = kind.name === 'payment' || kind.name === 'task' ? {} : { Zone };
    await testTable().putMany([{ ...item, ...zone, F: facts }]);
  }
  await expectFound(company, given, '2027-05-01');
});

test('a moment with an offset is that moment, whatever the zone of a record', async () => {
  const company = await openCompany(['Asia/Kolkata', 'America/Los_Angeles']);
  const ids: number[] = [];
  for (const organization of company.organizations)
    for (const date of ['2027-05-01', '2027-05-01T12:00:00Z']) {
      const body = { ContactId: organization.contact, Description: 'Call', Due: date };
      ids.push((await call(company, 'task/create', body))['TaskId'] as number);
    }
  const found = async (DueFrom: string, DueThrough: string) =>
    ((await call(company, 'task/query', { DueFrom, DueThrough }))['Tasks'] as { Id: number }[]).map(({ Id }) => Id);
  // May 1 begins at 18:30Z of the day before in Kolkata, and at 7:00Z in Los Angeles.
  expect(await found('2027-04-30T18:30:00Z', '2027-04-30T18:30:00Z')).toEqual([ids[0]]);
  expect(await found('2027-05-01T07:00:00Z', '2027-05-01T07:00:00Z')).toEqual([ids[2]]);
  expect(await found('2027-05-01T00:00:00Z', '2027-05-01T12:00:00Z')).toEqual([ids[2], ids[1], ids[3]]);
});

/** A record with a moment that queries filter by, as it is stored. */
interface Moment {
  readonly organization: Organization;
  readonly id: number;
  readonly at: number;
}

test('a date of a change, a creation or an acceptance is that of each record where it is, before and after a move', async () => {
  const company = await openCompany(['Pacific/Kiritimati', 'Pacific/Pago_Pago']);
  const { account, organizations } = company;
  const stored = async (key: object, name: string, organization: Organization, id: unknown): Promise<Moment> => {
    const item = await testTable().get(key as Parameters<ReturnType<typeof testTable>['get']>[0]);
    return { organization, id: id as number, at: item?.[name] as number };
  };
  const at = { account: account.accountId };
  const moments = {
    contacts: [] as Moment[],
    tasks: [] as Moment[],
    proposals: [] as Moment[],
    payments: [] as Moment[],
    accepted: [] as Moment[],
  };
  for (const organization of organizations) {
    const { contact, invoice } = organization;
    const [proposal, payment, task, open] = [
      (await call(company, 'proposal/create', { ContactId: contact, ServiceId: 1, Status: 'Open' }))['Id'],
      (await call(company, 'payment/import', { Payment: { InvoiceId: invoice, Amount: 1 } }))['PaymentId'],
      (await call(company, 'task/create', { ContactId: contact, Description: 'Call' }))['TaskId'],
      (await call(company, 'proposal/create', { ContactId: contact, ServiceId: 1 }))['Id'],
    ] as [number, number, number, number];
    await call(company, 'proposal/accept', { ProposalId: proposal, Name: 'Ana', SignatureData: svgUri });
    const keys = {
      contact: layout.contact.key({ ...at, id: contact }),
      task: layout.task.key({ ...at, id: task }),
      payment: layout.payment.key({ ...at, id: payment }),
      proposal: (id: number) => layout.proposal.key({ ...at, id }),
    };
    moments.contacts.push(await stored(keys.contact, 'Created', organization, contact));
    moments.tasks.push(await stored(keys.task, 'Updated', organization, task));
    moments.payments.push(await stored(keys.payment, 'Created', organization, payment));
    moments.accepted.push(await stored(keys.proposal(proposal), 'AcceptedAt', organization, proposal));
    for (const id of [proposal, open])
      moments.proposals.push(await stored(keys.proposal(id), 'Updated', organization, id));
  }
  const searches = [
    [moments.contacts, 'contacts/locate', ['CreatedFrom', 'CreatedThrough'], 'Matches'],
    [moments.contacts, 'contacts/locate', ['CreatedFrom', 'CreatedThrough'], 'Matches', { NameSearch: 'Ana' }],
    [moments.tasks, 'task/query', ['UpdatedFrom', 'UpdatedThrough'], 'Tasks'],
    [moments.tasks, 'task/query', ['UpdatedFrom', 'UpdatedThrough'], 'Tasks', { TaskId: moments.tasks[0]?.id }],
    [moments.payments, 'payment/query', ['CreatedFrom', 'CreatedThrough'], 'Payments'],
    [moments.proposals, 'proposal/query', ['UpdatedFrom', 'UpdatedThrough'], 'Proposals'],
    [moments.accepted, 'proposal/query', ['FromAccepted', 'ThroughAccepted'], 'Proposals'],
  ] as const;
  const today = new Date().toISOString().slice(0, 10);
  async function expectAllFound(): Promise<void> {
    for (const [made, query, [from, through], list, more = {}] of searches)
      for (const days of [-2, -1, 0, 1])
        for (const [key, seen] of [
          [account.key, made],
          ...organizations.map((each) => [each.key, made.filter((one) => one.organization === each)] as const),
        ] as const) {
          const day = dayAfter(today, days);
          const found = await call(company, query, { ...more, [from]: day, [through]: day }, key);
          const isAsked = ({ id }: Moment) => !('TaskId' in more) || more.TaskId === id;
          const ids = seen
            .filter((each) => isAsked(each) && dateIn(new Date(each.at).toISOString(), each.organization.zone) === day)
            .map(({ id }) => id);
          const foundIds = (found[list] as { Id: number }[]).map(({ Id }) => Id);
          expect([query, from, day, foundIds.sort()]).toEqual([query, from, day, ids.sort()]);
        }
  }
  await expectAllFound();
  for (const [index, organization] of organizations.entries()) {
    organization.zone = ['Pacific/Pago_Pago', 'Asia/Kolkata'][index] ?? '';
    const body = { OrganizationId: organization.id, Timezone: organization.zone };
    await call(company, 'organizations/update', body);
  }
  await othersForget();
  await expectAllFound();
});

test('contacts are downloaded by the date of their invoices in their own zone', async () => {
  const company = await openCompany(['Asia/Kolkata', 'America/Los_Angeles']);
  const [kolkata, angeles] = company.organizations as readonly [Organization, Organization];
  const invoice = (ContactId: number, Date: string) =>
    call(company, 'invoice/import', {
      Invoice: { ContactId, Date, Lines: [{ Description: 'Work', Rate: 1, Qty: 1 }] },
    });
  // 18:30Z of April 30; and 22:00 of April 30 in Los Angeles.
  await invoice(kolkata.contact, '2027-05-01');
  await invoice(angeles.contact, '2027-05-01T05:00:00Z');
  const rows = await downloadRows(company.account, { Kind: 'contacts', Contacts: { InvoicedAfter: '2027-05-01' } });
  expect(rows.map((row) => (row as { Id: number }).Id)).toEqual([kolkata.contact]);
});
