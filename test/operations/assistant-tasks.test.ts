import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Said, closeAssistants, connect, say } from '../support/assistant.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { drainEvents } from '../support/stack/stack.ts';

/*
 * What people ask assistants for, each as the calls that an assistant makes of it. Whatever is called, only what is
 * confirmed changes anything: the last test counts.
 */

const KEY = 'assistant of the tasks';
let company: Bookable;
let client: Awaited<ReturnType<typeof connect>>;
let invoice: number;
let visit: number;
/** Confirmed calls that were done. */
let confirmed = 0;

beforeAll(async () => {
  company = await bookable({
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Hedge trimming', BasePrice: 80, BaseDuration: 120 },
    ],
  });
  const lines = [{ Description: 'Work', Qty: 1, Rate: 120.5 }];
  const Invoice = { ContactId: company.contact, Status: 'Open', Lines: lines };
  const imported = await company.call('invoice/import', { Invoice });
  invoice = (imported.body['Invoice'] as { Id: number }).Id;
  await company.call('payment/import', { Payment: { ContactId: company.contact, Amount: 30 } });
  visit = slotIn(await company.book('Ben', '2035-04-02T09:00')).AppointmentId;
  client = await connect(await company.newKey({ name: KEY, assistant: 'write' }));
});
afterAll(closeAssistants);

const ask = (name: string, args: object = {}): Promise<Said> => say(client, name, args);

/** Previews and says yes. */
async function agree(name: string, args: object): Promise<Said> {
  const { confirm, text } = await ask(name, args);
  expect(text).toContain('Nothing is changed yet.');
  const done = await ask(name, { ...args, confirm });
  if (!done.isError) confirmed++;
  return done;
}

const contact = () => company.contact;
const lawn = (start: string, agent = 'Ann') => ({
  contact_id: contact(),
  service: 'Lawn care',
  start,
  agent_id: company.agents[agent],
});
const search = (more: object = {}) => ({ contact_id: contact(), service: 'Lawn care', from: '2035-04-03', ...more });

type Task = [asked: string, answer: RegExp, run: () => Promise<Said>];

const reads: Task[] = [
  ['Who is García?', /^1 client found/, () => ask('find_contact', { name: 'garcía' })],
  ['Who has this e-mail?', /^1 client found/, () => ask('find_contact', { email: 'JOSE@example.com' })],
  ['Who lives in 62701?', /^1 client found/, () => ask('find_contact', { address: '62701' })],
  ['Show client 1.', /^1 client found/, () => ask('find_contact', { contact_id: contact() })],
  ['Who is Nobody?', /^No client matches/, () => ask('find_contact', { name: 'nobody' })],
  ['When can you come?', /the first 6 are below\. Each costs 50\.00/, () => ask('find_times', search())],
  ['In the morning?', /first 6.*50\.00/, () => ask('find_times', search({ time_of_day: 'Morning' }))],
  ['After five?', /^No time is free/, () => ask('find_times', search({ time_of_day: 'Evening', days: 1 }))],
  ['With Ben?', /Ben/, () => ask('find_times', search({ agent_id: company.agents['Ben'] }))],
  ['On Sunday?', /^No time is free/, () => ask('find_times', search({ from: '2035-04-08', days: 1 }))],
  [
    'A service by its number?',
    /Each costs 50/,
    () => ask('find_times', search({ service: String(company.services['Lawn care']) })),
  ],
  ['A roof?', /^Not done: /, () => ask('find_times', search({ service: 'Roofing' }))],
  [
    'Some time?',
    /^The arguments are wrong\.\n<data>.*service is required\./,
    () => ask('find_times', { contact_id: contact() }),
  ],
  ['What are my visits?', /^1 visit\./, () => ask('list_visits', { contact_id: contact() })],
  ['And past ones?', /^1 visit\./, () => ask('list_visits', { contact_id: contact(), include_past: true })],
  [
    'What does the hedge cost?',
    /^It costs 80\.00/,
    () => ask('quote', { contact_id: contact(), service: 'hedge trimming' }),
  ],
  ['And a pool?', /^Not done: /, () => ask('quote', { contact_id: contact(), service: 'Pool' })],
  [
    'What do I owe?',
    /^The client owes 120\.50 on 1 invoice\. Its credit is 30\.00\./,
    () => ask('balance', { contact_id: contact() }),
  ],
  ['What does nobody owe?', /^The client owes nothing/, () => ask('balance', { contact_id: 99 })],
  ['Which tasks are open?', /^No open task/, () => ask('list_tasks')],
  ['How do I take a payment?', /payment\/import/, () => ask('search_operations', { words: 'take a payment' })],
  ['What does that need?', /InvoiceId/, () => ask('describe_operation', { operation: 'payment/import' })],
  ['Which reasons are there?', /^Done/, () => ask('call_operation', { operation: 'cancelreasons/all' })],
  [
    'Show the invoice.',
    /120\.5/,
    () => ask('call_operation', { operation: 'invoice/get', request: { InvoiceId: invoice } }),
  ],
  [
    'Close the company.',
    /^Assistants cannot call that operation/,
    () => ask('call_operation', { operation: 'organizations/cancel' }),
  ],
  ['Do magic.', /^There is no such tool\..*do_magic/s, () => ask('do_magic')],
];

const writes: Task[] = [
  ['Add me.', /^Saved as client \d+/, () => agree('save_contact', { name: 'Lea Roth', email: 'lea@example.com' })],
  ['I moved.', /^Saved as client/, () => agree('save_contact', { contact_id: contact(), street: '5 Oak Street' })],
  ['Change client 99.', /^Not done: /, () => ask('save_contact', { contact_id: 99, name: 'X' })],
  ['Book Tuesday at nine.', /^Booked: visit \d+, 50\.00/, () => agree('book_visit', lawn('2035-04-03T09:00'))],
  ['The same time again.', /^Not done: \w+\.\n<data>.*Slot taken/, () => ask('book_visit', lawn('2035-04-03T09:30'))],
  ['Yesterday, please.', /^Not done: \w+\.\n<data>.*in the past/, () => ask('book_visit', lawn('2020-04-03T09:00'))],
  ['At midnight.', /^Not done: \w+\.\n<data>.*working hours/, () => ask('book_visit', lawn('2035-04-03T00:00'))],
  ['Only ask what it costs.', /Nothing is changed yet/, () => ask('book_visit', lawn('2035-04-04T09:00'))],
  [
    'A yes without a preview.',
    /not of a preview/,
    () => ask('book_visit', { ...lawn('2035-04-04T09:00'), confirm: 'yes' }),
  ],
  [
    'A yes to something else.',
    /not of a preview/,
    async () => {
      const { confirm } = await ask('book_visit', lawn('2035-04-04T09:00'));
      return ask('book_visit', { ...lawn('2035-04-04T12:00'), confirm });
    },
  ],
  [
    'A yes that is said twice.',
    /^Booked/,
    async () => {
      const { confirm } = await ask('book_visit', lawn('2035-04-05T09:00'));
      const [first, second] = await Promise.all(
        [1, 2].map(() => ask('book_visit', { ...lawn('2035-04-05T09:00'), confirm })),
      );
      confirmed++;
      expect(second).toEqual(first);
      return second as Said;
    },
  ],
  [
    'A yes too late: somebody else was faster.',
    /^Not done: \w+\.\n<data>.*Slot taken/,
    async () => {
      const { confirm } = await ask('book_visit', lawn('2035-04-06T09:00'));
      expect((await company.book('Ann', '2035-04-06T09:00')).status).toBe(200);
      return ask('book_visit', { ...lawn('2035-04-06T09:00'), confirm });
    },
  ],
  [
    'Keep it for me, I have to ask.',
    /^Booked/,
    async () => {
      const args = lawn('2035-04-06T13:00');
      const [, hold] = /hold (\w{22})/.exec((await agree('hold_time', args)).text) ?? [];
      expect((await company.book('Ann', '2035-04-06T13:00')).status).toBe(409);
      return agree('book_visit', { ...args, hold });
    },
  ],
  ['Keep a time that is taken.', /^The time cannot be held/, () => ask('hold_time', lawn('2035-04-03T09:00'))],
  ['Move it to Friday.', /is changed/, () => agree('change_visit', { visit_id: visit, start: '2035-04-06T15:00' })],
  ['Add the gate code.', /is changed/, () => agree('change_visit', { visit_id: visit, note: 'Gate code 4711' })],
  [
    'Move it to where Ann is.',
    /^Not done: \w+\.\n<data>.*Slot taken/,
    () => ask('change_visit', { visit_id: visit, start: '2035-04-03T09:00', agent_id: company.agents['Ann'] }),
  ],
  ['Change something.', /^Give start, agent_id or note/, () => ask('change_visit', { visit_id: visit })],
  ['Cancel it.', /^Not done: \w+\.\n<data>.*Use one of/, () => ask('cancel_visit', { visit_id: visit })],
  ['Because I moved.', /is canceled/, () => agree('cancel_visit', { visit_id: visit, reason_id: 1 })],
  ['Cancel it again.', /^Not done: /, () => ask('cancel_visit', { visit_id: visit, reason_id: 1 })],
  [
    'Note this call.',
    /^The call is stored\.\n<data>.*Call \d+ is attached/,
    () => agree('log_call', { contact_id: contact(), direction: 'Inbound', seconds: 60, note: 'Wants a quote' }),
  ],
  ['Note a call of nobody.', /^Give contact_id or phone/, () => ask('log_call', { note: 'Silence' })],
  [
    'Remind us to call back.',
    /^Task \d+ is added/,
    () => agree('save_task', { contact_id: contact(), task: 'Call back', due: '2035-04-05' }),
  ],
  [
    'That is done.',
    /is done/,
    async () => {
      const [open] = (await ask('list_tasks', { contact_id: contact() })).data['tasks'] as { task_id: number }[];
      return agree('save_task', { task_id: open?.task_id, note: 'Reached' });
    },
  ],
  ['Do task 99.', /^Not done: /, () => ask('save_task', { task_id: 99 })],
  [
    'I pay fifty.',
    /^Done/,
    () =>
      agree('call_operation', {
        operation: 'payment/import',
        request: { Payment: { InvoiceId: invoice, Amount: 50, Method: 'Cash' } },
      }),
  ],
  [
    'I get a million back.',
    /^Not done: /,
    () =>
      ask('call_operation', {
        operation: 'payment/import',
        request: { Payment: { InvoiceId: invoice, Amount: -1e6, Method: 'Cash' } },
      }),
  ],
];

describe.each([
  ['questions', reads],
  ['orders', writes],
])('%s', (_, tasks) => {
  test.each(tasks)('%s', async (_asked, answer, run) => {
    const said = await run();
    expect(said.text).toMatch(answer);
    // What a voice agent says, and not a record of 50 fields.
    expect(said.text.length).toBeLessThan(9_000);
  });
});

test('50 tasks changed only what was confirmed: an event each, which names the key', async () => {
  expect(reads.length + writes.length).toBeGreaterThanOrEqual(50);
  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const events = body['Events'] as { Payload: { Kind: string; By?: unknown } }[];
  const own = events.filter(({ Payload }) => JSON.stringify(Payload).includes(KEY));
  const kinds = own.map(({ Payload }) => Payload.Kind).toSorted();
  expect(kinds).toEqual([
    'appointment.booked',
    'appointment.booked',
    'appointment.booked',
    'appointment.canceled',
    'appointment.rescheduled',
    'appointment.updated',
    'call.logged',
    'contact.created',
    'contact.updated',
    'invoice.updated',
    'note.created',
    'payment.recorded',
    'task.completed',
    'task.created',
  ]);
  // The note is of the call, and the invoice that of the payment; the hold has no event.
  expect(confirmed).toBe(kinds.length - 2 + 1);
});
