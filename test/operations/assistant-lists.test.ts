import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROWS } from '../../functions/mcp/operation-rows.ts';
import { isReached } from '../../functions/mcp/operations.ts';
import { groups } from '../../functions/index.ts';
import { apiDocument } from '../../infra/openapi.ts';
import { closeAssistants, connect, say } from '../support/assistant.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';

type Row = Record<string, unknown>;

/** What is read of the OpenAPI document. */
interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, ListSchema>> }>>;
  };
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly responses: { readonly 200: { readonly content: Readonly<Record<string, Content>> } };
        };
      }
    >
  >;
}
interface Content {
  readonly schema: { readonly $ref: string };
}
interface ListSchema {
  readonly items?: { readonly $ref?: string };
}

let company: Bookable;
let client: Awaited<ReturnType<typeof connect>>;
const OPEN = 95;

beforeAll(async () => {
  company = await bookable();
  // Long enough that 95 of its invoices with their contact are more than one answer shows.
  const Company = 'A company with a long name '.repeat(7).trim();
  const [big] = (await company.call('contacts/addupdate', { Name: 'Big', Company, Phone: '+1 217 555 0190' })).body[
    'Matches'
  ] as [{ Id: number }];
  const invoice = (index: number) =>
    company.call('invoice/import', {
      Invoice: {
        ContactId: big.Id,
        Number: `N${index}`,
        Status: 'Open',
        Lines: [{ Description: 'W', Qty: 1, Rate: 10 }],
      },
    });
  for (let from = 0; from < OPEN; from += 10)
    await Promise.all(Array.from({ length: Math.min(10, OPEN - from) }, (_, index) => invoice(from + index)));
  client = await connect(await company.newKey({ role: 'ReadOnly' }));
});
afterAll(closeAssistants);

const ask = (name: string, args: object = {}) => say(client, name, args);
const call = (operation: string, request: object) => ask('call_operation', { operation, request });
const listOf = (data: Row, name: string) => data[name] as Row[];

describe('an assistant sees whole lists', () => {
  test('95 open invoices in one answer, as rows without empty fields', async () => {
    const { text, data } = await call('invoice/query', { Status: 'Open', Take: 500 });
    expect(text).toMatch(/^Done\.\n/);
    const invoices = listOf(data, 'Invoices');
    expect(invoices).toHaveLength(OPEN);
    expect(Object.keys(invoices[0] ?? {})).toEqual([
      'Id',
      'Number',
      'Date',
      'Status',
      'InvoiceType',
      'Total',
      'BalanceDue',
      'ContactId',
    ]);
    const one = await call('invoice/query', { Status: 'Open', Take: 1 });
    expect(one.text).toMatch(/^Done\.\n/);
    expect(listOf(one.data, 'Invoices')[0]).toHaveProperty('Lines');
  });

  test('what is longer than an answer page by page, to the last row', async () => {
    const seen: unknown[] = [];
    let [Skip, pages]: [number | undefined, number] = [0, 0];
    while (Skip !== undefined) {
      const { text, data } = await call('invoice/query', { Status: 'Open', Take: 500, IncludeContact: true, Skip });
      expect(text.length).toBeLessThan(25_500);
      seen.push(...listOf(data, 'Invoices').map(({ Id }) => Id));
      const [, shown, next] = /^Done\. (\d+) of 95 are below\. Go on with Skip (\d+)\./.exec(text) ?? [];
      if (next !== undefined)
        expect([Number(shown), Number(next)]).toEqual([listOf(data, 'Invoices').length, seen.length]);
      Skip = next === undefined ? undefined : Number(next);
      pages++;
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(OPEN);
    expect(seen).toHaveLength(OPEN);
  });

  test('who owes, the oldest invoice first, with the sum of all', async () => {
    const { text, data } = await ask('who_owes');
    expect(text).toMatch(/^1 client: 950\.00 on 95 invoices\./);
    const invoices = listOf(data, 'invoices');
    expect(invoices).toHaveLength(OPEN);
    expect(invoices[0]).toMatchObject({ client: 'Big', phone: '+1 217 555 0190', owes: 10, total: 10 });
    const { text: rest } = await ask('who_owes', { skip: 90 });
    expect(rest).toMatch(/^1 client: 50\.00 on 5 invoices\. These are a part of all\./);
  });

  test('the visits of a day by agent, in order, with where they are; no canceled one, and one of two agents twice', async () => {
    const { agents } = company;
    const book = (agent: string, time: string, more: object = {}) => company.book(agent, `2035-04-02T${time}`, more);
    const times = ['08:00', '09:00', '10:00', '11:00', '12:00'];
    for (const time of times) expect((await book('Ann', time)).status).toBe(200);
    for (const time of times) expect((await book('Ben', time)).status).toBe(200);
    const both = {
      Slots: [
        {
          DateTime: '2035-04-02T14:00',
          ServiceAgentId: agents['Ben'],
          AdditionalServiceAgents: [{ ServiceAgent: { Id: agents['Ann'] } }],
        },
      ],
      Notes: 'Gate code 4711',
    };
    expect((await book('Ben', '14:00', both)).status).toBe(200);
    const canceled = slotIn(await book('Ben', '16:00')).AppointmentId;
    await company.call('appointments/cancel', { AppointmentId: canceled, CancelReasonId: 1 });

    const { text, data } = await ask('list_day', { date: '2035-04-02' });
    expect(text).toMatch(/^11 visits on 2035-04-02\.\n/);
    const days = listOf(data, 'agents') as { agent: string; visits: Row[] }[];
    const startsOf = (name: string) =>
      days.find(({ agent }) => agent === name)?.visits.map(({ start }) => String(start).slice(11, 16));
    expect([startsOf('Ann'), startsOf('Ben')]).toEqual([
      [...times, '14:00'],
      [...times, '14:00'],
    ]);
    expect(days[0]?.visits.at(-1)).toMatchObject({ client: 'José García', address: '62701', note: 'Gate code 4711' });
    const own = await ask('list_day', { date: '2035-04-02', agent_id: agents['Ann'] });
    expect(own.text).toMatch(/^6 visits on/);
    expect((await call('appointments/query', { FromDate: '2035-04-02', ThroughDate: '2035-04-02' })).text).toMatch(
      /^Done\.\n/,
    );
  });

  test('of today without a date, in the zone of the company', async () => {
    const QueueDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date());
    await company.call('appointments/queue', { ContactId: company.contact, ServiceName: 'Lawn care', QueueDate });
    const { text, data } = await ask('list_day');
    expect(text).toMatch(new RegExp(`^1 visit on ${QueueDate}\\.`));
    expect(data['agents']).toMatchObject([{ agent: 'not planned', visits: [{ status: 'queued' }] }]);
  });

  test('new leads without customers, and likely duplicates', async () => {
    const fresh = await bookable();
    const assistant = await connect(await fresh.newKey({ role: 'ReadOnly' }));
    const add = (fields: object) => fresh.call('contacts/addupdate', fields);
    const lea = { Name: 'Lea Roth', Phone: '+1 217 555 0191', LeadSource: 'Internet' };
    await add({ ...lea, Notes: [{ Body: 'Wants a quote' }] });
    await add({ Name: 'Kim Customer', Email: 'kim@example.com', IsCustomer: true });
    const leads = await say(assistant, 'list_leads');
    expect(leads.text).toMatch(/^2 leads\.\n/);
    expect(leads.data['leads']).toMatchObject([
      { name: 'Lea Roth', source: 'Internet', note: 'Wants a quote' },
      { name: 'José García' },
    ]);
    expect((await say(assistant, 'list_leads', { since: '2199-01-01' })).text).toBe('No new lead.');

    expect((await say(assistant, 'list_duplicates')).text).toBe('No likely duplicate.');
    await add({ Name: 'Lea Roth', Email: 'lea@example.com', Phone: lea.Phone });
    const { Matches } = (await fresh.call('contacts/locate', { NameSearch: 'roth' })).body as { Matches: Row[] };
    const pairs = await say(assistant, 'list_duplicates');
    expect([Matches.length, pairs.text.split('\n')[0]]).toEqual([2, '1 pair.']);
    expect(pairs.data['pairs']).toMatchObject([{ contact: { name: 'Lea Roth' }, duplicate: { name: 'Lea Roth' } }]);
  });

  test('in rows that describe_operation names', async () => {
    const { data } = await ask('describe_operation', { operation: 'invoice/query' });
    expect(data['rows']).toEqual(ROWS['invoice/query']);
  });
});

test('every list with pages that an assistant may read has rows', () => {
  const paged = groups
    .flatMap(({ operations }) => operations)
    .filter(({ access, pageSizeField }) => access === 'read' && pageSizeField())
    .map(({ name }) => name)
    .filter(isReached);
  expect(paged.filter((name) => !(name in ROWS))).toEqual([]);
});

test.each(Object.entries(ROWS))('the rows of %s have fields that its records have', (name, fields) => {
  const { components, paths } = apiDocument() as unknown as Document;
  const schemaOf = (ref: string) => components.schemas[ref.split('/').at(-1) ?? '']?.properties ?? {};
  const { schema } = paths[`/api/${name}`]?.post.responses[200].content['application/json'] ?? {};
  const lists = Object.values(schemaOf(schema?.$ref ?? '')).flatMap(({ items }) => items?.$ref ?? []);
  expect(
    lists.some((ref) => fields.every((field) => field in schemaOf(ref))),
    String(lists),
  ).toBe(true);
});
