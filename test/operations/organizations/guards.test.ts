import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/failed.ts';
import { contactIn } from '../../support/stack/branches.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { type TestAnswer } from '../../support/stack/stack.ts';

/** One of two organizations of the same account, which know nothing of each other. */
interface Branch {
  readonly organization: number;
  readonly key: string;
  readonly contact: number;
  readonly agent: number;
  readonly invoice: number;
}

let company: Bookable;
let one: Branch;
let other: Branch;

async function branch(organization: number): Promise<Branch> {
  const key = await company.newKey({ role: 'Admin', organizationId: organization });
  const contact = contactIn(
    await company.call('contacts/addupdate', { Name: `Ida ${organization}`, Zip: '62701' }, { key }),
  ).Id;
  const agents = (await company.call('serviceagents/all', {}, { key })).body['Matches'] as { Id: number }[];
  const Lines = [{ Description: 'Work', Qty: 1, Rate: 100 }];
  const { body } = await company.call(
    'invoice/import',
    { Invoice: { ContactId: contact, Status: 'Open', Lines } },
    { key },
  );
  const invoice = (body['Invoice'] as { Id: number }).Id;
  return { organization, key, contact, agent: agents[0]?.Id ?? 0, invoice };
}

beforeAll(async () => {
  company = await bookable();
  const made = await company.call('organizations/create', {
    Name: 'Shelbyville',
    Timezone: 'America/Chicago',
    StartAddress: { Zip: '62701' },
    ServiceAgents: [{ Name: 'Cid', Email: 'cid@example.com', TimeSlots: weekdays() }],
  });
  [one, other] = [await branch(1), await branch(made.body['OrganizationId'] as number)];
});

let days = 0;
/** A day on which nobody is booked. */
const nextDay = () => new Date(Date.UTC(2027, 2, 1) + 7 * days++ * 86_400_000).toISOString().slice(0, 10);

/** What each call with an id of its caller makes, and the id of what it made. */
const calls = {
  'appointments/book': {
    body: ({ contact, agent }: Branch, id: number, day: string) => ({
      ContactId: contact,
      ServiceName: 'Lawn care',
      Slots: [{ DateTime: `${day}T09:00`, ServiceAgentId: agent }],
      CallCenterTransactionId: id,
    }),
    made: (answer: TestAnswer) => slotIn(answer).AppointmentId,
  },
  'appointments/queue': {
    body: ({ contact }: Branch, id: number, day: string) => ({
      ContactId: contact,
      ServiceName: 'Lawn care',
      QueueDate: day,
      CallCenterTransactionId: id,
    }),
    made: ({ body }: TestAnswer) => body['AppointmentId'] as number,
  },
  'appointments/quickbook': {
    body: ({ contact }: Branch, id: number, day: string) => ({
      ContactId: contact,
      Service: 'Lawn care',
      ScheduledStart: `${day}T10:30`,
      FirstAvailable: true,
      CallCenterTransactionId: id,
      // A field of the answer, which is ignored.
      AppointmentId: [],
    }),
    made: ({ body }: TestAnswer) => body['AppointmentId'] as number,
  },
  'payment/import': {
    body: ({ invoice }: Branch, id: number) => ({
      Payment: { InvoiceId: invoice, Amount: 1, Method: 'Cash', TransactionId: `T${id}` },
    }),
    made: ({ body }: TestAnswer) => (body['Payment'] as { Id: number }).Id,
  },
} as const;
const operations = Object.keys(calls) as (keyof typeof calls)[];

let ids = 100;
async function send(operation: keyof typeof calls, of: Branch, id: number, day: string, key = of.key): Promise<number> {
  const answer = await company.call(operation, calls[operation].body(of, id, day), { key });
  expect(answer.status, answer.text).toBe(200);
  return calls[operation].made(answer);
}

describe.each(operations)('%s', (operation) => {
  test('takes an id that another organization has used, and repeats each call in its own', async () => {
    const [id, day] = [ids++, nextDay()];
    const [first, second] = [await send(operation, one, id, day), await send(operation, other, id, day)];
    expect(second).not.toBe(first);
    for (const key of [undefined, company.key]) {
      expect(await send(operation, one, id, day, key)).toBe(first);
      expect(await send(operation, other, id, day, key)).toBe(second);
    }
  });

  test('with a key of the account takes an id for each organization', async () => {
    const [id, day] = [ids++, nextDay()];
    const [first, second] = [
      await send(operation, one, id, day, company.key),
      await send(operation, other, id, day, company.key),
    ];
    expect(second).not.toBe(first);
    expect(await send(operation, one, id, day)).toBe(first);
    expect(await send(operation, other, id, day)).toBe(second);
  });

  test('with another request is 409 in the organization of the first alone', async () => {
    const [id, day] = [ids++, nextDay()];
    await send(operation, one, id, day);
    const { body } = calls[operation];
    const changed =
      operation === 'payment/import'
        ? { Payment: { ...(body(one, id, day) as { Payment: object }).Payment, Amount: 2 } }
        : { ...body(one, id, day), Notes: 'Other', CustomerNotes: 'Other' };
    const sent =
      operation === 'appointments/quickbook'
        ? { ...changed, Notes: undefined }
        : { ...changed, CustomerNotes: undefined };
    for (const key of [one.key, company.key]) expectFailure(await company.call(operation, sent, { key }), 409);
    expect(await send(operation, other, id, day)).toBeGreaterThan(0);
  });
});

describe('the e-mail of a user', () => {
  const create = (Email: string, key: string) =>
    company.call('user/create', { Name: Email, Email, Role: 'Office' }, { key });
  const upsert = (Email: string, { key, organization }: Branch, Name: string = Email) =>
    company.call(
      'organizations/update',
      { OrganizationId: organization, Users: [{ Name, Email, Role: 'Office' }] },
      { key },
    );

  test('is unique in its organization, and free in others', async () => {
    expect((await create('ida@example.com', one.key)).status).toBe(200);
    expect((await create('ida@example.com', other.key)).status).toBe(200);
    expectFailure(await create('IDA@example.com', one.key), 409);
    expect((await upsert('joe@example.com', other)).status).toBe(200);
    expect((await upsert('joe@example.com', one)).status).toBe(200);
    expectFailure(await create('joe@example.com', one.key), 409);
  });
});
