import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmationToken, readConfirmation } from '../../functions/mcp/confirmation.ts';
import { tools } from '../../functions/mcp/tools.ts';
import { closeAssistants, connect, say } from '../support/assistant.ts';
import { DAY, crossTown } from '../support/day-plans.ts';
import { type Bookable, slotIn } from '../support/scheduling.ts';
import { drainEvents } from '../support/stack/stack.ts';

/** What models make of a token: the end of its sentence, marks around it, capitals, hyphens that a font likes better. */
const rewritten: readonly ((token: string) => string)[] = [
  (token) => `${token}.`,
  (token) => `  ${token}\n`,
  (token) => `"${token}"`,
  (token) => `\`${token}\`.`,
  (token) => `**${token}**`,
  (token) => `“${token}”`,
  (token) => token.toUpperCase(),
  (token) => token.replaceAll('-', '‑'),
  (token) => token.replaceAll('-', ' - '),
  (token) => `confirm ${token} please`,
  (token) => `${token}​`,
];

describe('a confirm token', () => {
  const confirmed = { credential: 'fsk_test_x', operation: 'payment/import', request: { Payment: { Amount: 20 } } };
  const now = new Date('2035-03-06T10:00:00Z');

  test('is one token whatever a model adds to it, and none if a character of it is another', () => {
    const noise = fc.array(fc.constantFrom(...' .,:;!?\'"`´“”‘’*_~()[]{}<>/\\|#\t\n​﻿…'), { maxLength: 4 });
    fc.assert(
      fc.property(
        noise,
        noise,
        fc.boolean(),
        fc.nat(43),
        fc.constantFrom('x', '7'),
        (before, after, isUpper, at, other) => {
          const token = confirmationToken(confirmed, '0000effe', now);
          expect(token).toMatch(/^[0-9a-z-]{44}$/);
          const written = [...before, isUpper ? token.toUpperCase() : token, ...after].join('');
          expect(readConfirmation(confirmed, written, now)).toEqual({ kind: 'valid', effect: '0000effe', token });
          const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
          if (changed !== token) expect(readConfirmation(confirmed, changed, now).kind).toBe('other');
        },
      ),
    );
  });

  test('is of the same request in another order of fields, and of no other request', () => {
    const token = confirmationToken({ ...confirmed, request: { Name: 'A', Zip: '1' } }, '0000effe', now);
    const kindOf = (request: object) => readConfirmation({ ...confirmed, request: { ...request } }, token, now).kind;
    expect([kindOf({ Zip: '1', Name: 'A' }), kindOf({ Zip: '1' })]).toEqual(['valid', 'other']);
  });
});

describe('one preview has one effect, however its token is written', () => {
  let company: Bookable;
  let invoice: number;
  let visits: number[];
  beforeAll(async () => {
    company = await crossTown();
    const Invoice = { ContactId: company.contact, Status: 'Open', Lines: [{ Description: 'Work', Qty: 1, Rate: 100 }] };
    invoice = (await company.call('invoice/import', { Invoice })).body['InvoiceId'] as number;
    const days = ['2035-04-02', '2035-04-03'];
    visits = await Promise.all(
      days.map(async (day) => slotIn(await company.book('Ben', `${day}T09:00`)).AppointmentId),
    );
  });
  afterAll(closeAssistants);

  const lawn = (start: string) => ({
    contact_id: company.contact,
    service: 'Lawn care',
    start,
    agent_id: company.agents['Ann'],
  });
  const calls = (operation: string, request: () => object) => () => ({ operation, request: request() });
  /** A change by each tool, and the events of one. */
  const changes: readonly (readonly [tool: string, args: () => object, kinds: readonly string[]])[] = [
    ['save_contact', () => ({ name: 'Lea Roth', email: 'lea@example.com' }), ['contact.created']],
    ['hold_time', () => lawn('2035-04-04T09:00'), []],
    ['book_visit', () => lawn('2035-04-05T09:00'), ['appointment.booked']],
    ['change_visit', () => ({ visit_id: visits[0], start: '2035-04-02T11:00' }), ['appointment.rescheduled']],
    ['cancel_visit', () => ({ visit_id: visits[1], reason_id: 1 }), ['appointment.canceled']],
    ['plan_day', () => ({ date: DAY }), ['appointment.updated', 'appointment.updated']],
    ['log_call', () => ({ contact_id: company.contact, note: 'Called' }), ['call.logged', 'note.created']],
    ['save_task', () => ({ task: 'Call back' }), ['task.created']],
    [
      'call_operation',
      calls('payment/import', () => ({ Payment: { InvoiceId: invoice, Amount: 20 } })),
      ['invoice.updated', 'payment.recorded'],
    ],
    [
      'call_operation',
      calls('contacts/addnote', () => ({ ContactId: company.contact, Note: { Body: 'Gate code 4711' } })),
      ['note.created'],
    ],
  ];

  const kindsOf = async (name: string) => {
    await drainEvents();
    const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
    const events = body['Events'] as { Payload: { Kind: string } }[];
    return events
      .filter(({ Payload }) => JSON.stringify(Payload).includes(name))
      .map(({ Payload }) => Payload.Kind)
      .toSorted();
  };

  test.each(changes.map((change, index) => [index, ...change] as const))('%i %s', async (index, tool, args, kinds) => {
    const name = `confirms ${index} only`;
    const client = await connect(await company.newKey({ name, assistant: 'write' }));
    const { confirm } = await say(client, tool, args());
    const done = await say(client, tool, { ...args(), confirm });
    expect(done.isError, done.text).toBe(false);
    for (const rewrite of rewritten)
      expect(await say(client, tool, { ...args(), confirm: rewrite(confirm) })).toEqual(done);
    expect(await kindsOf(name)).toEqual(kinds);
  });

  test('of every tool that changes something', () => {
    const writing = tools.filter(({ isWrite, mayWrite }) => isWrite || mayWrite).map(({ name }) => name);
    expect(new Set(changes.map(([name]) => name))).toEqual(new Set(writing));
  });

  test('an invoice of 100 on which 20 are paid so is open with 80', async () => {
    const { body } = await company.call('invoice/get', { InvoiceId: invoice });
    expect(body['Invoice']).toMatchObject({ BalanceDue: 80 });
  });
});
