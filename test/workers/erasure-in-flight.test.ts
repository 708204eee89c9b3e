import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { dying, eraseNow, toolTable } from '../support/erasures.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { pngUri } from '../support/signatures.ts';
import { drainEvents, testStack } from '../support/stack/stack.ts';

const CALLS = Number(process.env['ERASURE_CALLS'] ?? 68);

const person = { Name: 'Quirina Zweigenbaum', Email: 'q.zw@example.com', Phone: '(217) 555-7731' };

interface Subject {
  readonly ContactId: number;
  readonly ServiceId: number;
  readonly invoice: number;
  readonly proposals: readonly number[];
  readonly appointment: number;
  readonly task: number;
}

const mark = (index: number) => `${person.Name} at call ${index}`;

/** Calls of every kind that leave a text about the person, each by its operation. */
const kinds: readonly ((index: number, of: Subject) => readonly [operation: string, body: object])[] = [
  (i, { ContactId }) => [
    'invoice/import',
    { Invoice: { ContactId, Terms: mark(i), Lines: [{ Description: mark(i), Rate: 10, Qty: 1 }] } },
  ],
  (i, { invoice }) => ['invoice/import', { Invoice: { Id: invoice, Terms: mark(i), CustomerNotes: mark(i) } }],
  (i, { invoice }) => [
    'payment/import',
    { Payment: { InvoiceId: invoice, Amount: 1, Reference: mark(i), TransactionId: `of ${mark(i)}` } },
  ],
  (i, { ContactId, ServiceId }) => [
    'proposal/create',
    { ContactId, ServiceId, Title: mark(i), CustomerNotes: mark(i), Status: 'Open' },
  ],
  (i, { proposals }) => ['proposal/update', { Id: proposals[0], Title: mark(i), ProposalNotes: [{ Body: mark(i) }] }],
  (_, { proposals }) => [
    'proposal/accept',
    { ProposalId: proposals[1], Name: person.Name, SignatureData: pngUri, Notes: person.Name },
  ],
  (i, { proposals }) => [
    'proposal/upload',
    {
      upload: { ProposalId: proposals[0], Note: mark(i) },
      files: [{ Filename: `${person.Name} ${i}.txt`, Content: Buffer.from(mark(i)).toString('base64') }],
    },
  ],
  (i, { ContactId }) => ['task/create', { ContactId, Description: mark(i) }],
  (i, { task }) => ['task/update', { TaskId: task, Description: mark(i) }],
  (i, { ContactId, ServiceId }) => [
    'appointments/queue',
    { ContactId, ServiceId, Notes: mark(i), CustomProperties: { Access: mark(i) } },
  ],
  (i, { appointment }) => ['appointments/update', { AppointmentId: appointment, UpdateNote: mark(i) }],
  (i, { appointment }) => ['appointments/feedback', { Id: appointment, Score: 9, Note: mark(i) }],
  (i, { ContactId }) => ['contacts/addnote', { ContactId, Note: { Body: mark(i) } }],
  (i, { ContactId }) => [
    'contacts/addupdate',
    { Id: ContactId, Name: `Quirina ${i} Zweigenbaum`, Email: `zweigenbaum.${i}@example.com`, Address2: `Lot ${i}` },
  ],
  (i, { ContactId }) => ['contacts/logcall', { Chars: JSON.stringify({ ContactId, Note: mark(i) }) }],
  (i) => ['contacts/logcall', { Chars: JSON.stringify({ Phone: person.Phone, Note: mark(i) }) }],
  (i, { ContactId }) => [
    'contacts/upload',
    {
      upload: { ContactId, Note: mark(i) },
      files: [{ Filename: `${person.Name} ${i}.txt`, Content: Buffer.from(mark(i)).toString('base64') }],
    },
  ],
];

async function subjectOf(account: Bookable): Promise<Subject> {
  const send = async (operation: string, body: object) => {
    const answer = await account.call(operation, body);
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer.body;
  };
  const made = await send('contacts/addupdate', person);
  const ContactId = (made['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  const ServiceId = account.services['Lawn care'] ?? 0;
  const Lines = [{ Description: 'Mowing', Rate: 1_000, Qty: 1 }];
  const imported = await send('invoice/import', { Invoice: { ContactId, Lines } });
  const propose = async () =>
    Number((await send('proposal/create', { ContactId, ServiceId, Title: 'Lawn', Status: 'Open' }))['Id']);
  return {
    ContactId,
    ServiceId,
    invoice: (imported['Invoice'] as { Id: number }).Id,
    proposals: [await propose(), await propose()],
    appointment: Number((await send('appointments/queue', { ContactId, ServiceId }))['AppointmentId']),
    task: Number((await send('task/create', { ContactId, Description: 'Call' }))['TaskId']),
  };
}

/** Where the person is left in the account's items, by key. */
async function placesIn({ accountId }: Bookable): Promise<string[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const found: string[] = [];
  for await (const items of openScan({ tableName, endpoint })({ accounts: [accountId], isWhole: true }))
    for (const item of items)
      for (const [, trace] of JSON.stringify(item).matchAll(/(.{0,60}zweigenbaum.{0,30}|.{0,60}5557731.{0,30})/gi))
        found.push(`${item.PK} ${item.SK}: ${trace}`);
  return found;
}

/** Sends calls of all kinds at random moments of a span; ends with the last answer. */
const sendCalls = (account: Bookable, of: Subject, { count, span, name }: Burst): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await pause(Math.random() * span);
      const [operation, body] = (kinds[index % kinds.length] as (typeof kinds)[number])(index, of);
      const headers = { 'Idempotency-Key': `${name} ${index}` };
      return (await account.call(operation, body, { headers })).status;
    }),
  );

interface Burst {
  readonly count: number;
  /** In milliseconds. */
  readonly span: number;
  readonly name: string;
}

test('calls of all kinds in flight when an erasure begins, and when a killed one goes on, leave nothing', async () => {
  const account = await bookable();
  const of = await subjectOf(account);
  const [count, span] = [CALLS / 2, CALLS * 10];
  const first = sendCalls(account, of, { count, span, name: 'first' });
  await pause(span / 2);
  await expect(eraseNow(account.accountId, of.ContactId, {}, dying(toolTable(), 4))).rejects.toThrow('killed');
  const statuses = await first;
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);

  const second = sendCalls(account, of, { count, span, name: 'second' });
  await pause(span / 2);
  // An erasure waits longer than a call can take; here it waits for the last of these calls.
  const onStep = async (step: string) => void (step === 'calls under way' && (await second));
  const { unfinished } = await eraseNow(account.accountId, of.ContactId, { removeSigned: true, onStep });
  expect(unfinished).toEqual([]);
  await drainEvents();
  expect(await placesIn(account)).toEqual([]);
}, 300_000);
