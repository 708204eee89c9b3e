import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ContactMessage } from '../../../lib/entities/messages.ts';
import { HOUR } from '../../../lib/shared/time/time.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { writeKeptDays } from '../../../lib/store/message-settings.ts';
import { findMessage, listAllMessages, messageKey, writeMessage } from '../../../lib/store/messages.ts';
import { expectFailure } from '../../support/failed.ts';
import { mergesOf } from '../../support/merges.ts';
import { putMessage, turnMessages } from '../../support/messages.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import { eventsOf } from '../../support/stack/branches.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';

const messagesIn = ({ body }: TestAnswer) => body['Messages'] as ContactMessage[];
const statusAndMessage = ({ status, body }: TestAnswer) => [status, body['Message']];

let company: Bookable;
let contact: number;
const add = async (fields: object) => (await mergesOf(company).add({ Zip: '62701', OrganizationId: 1, ...fields })).Id;
let contacts = 0;
const phoneOf = (number: number) => `+1217400${String(number).padStart(4, '0')}`;

beforeAll(async () => {
  company = await bookable();
});

beforeEach(async () => {
  await turnMessages(company, true);
  const number = ++contacts;
  contact = await add({ Name: `Ann ${number}`, Email: `ann.${number}@example.com`, Phone: phoneOf(number) });
});

const send = (body: object) => company.call('messages/send', body);
const preview = async (body: object) => {
  const answer = await company.call('messages/preview', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body['Preview'] as Record<string, unknown>;
};
const list = async (ContactId: number, more: object = {}) =>
  messagesIn(await company.call('contacts/messages', { ContactId, ...more }));

describe('messages/send', () => {
  test('sends a new link to the address of the contact, which contacts/messages lists', async () => {
    const Email = `new.${crypto.randomUUID()}@example.com`;
    await company.call('contacts/addupdate', { Id: contact, Email });
    const answer = await send({ ContactId: contact, Kind: 'NewLink', Channel: 'Email' });
    expect(answer.status, answer.text).toBe(200);
    const [message] = messagesIn(answer);
    expect(message).toMatchObject({ Kind: 'NewLink', Channel: 'Email', Address: Email, State: 'Waiting', Reason: '' });
    expect(message).toMatchObject({ ContactId: contact, OrganizationId: 1, About: 'Contact', RecordId: contact });
    expect((await list(contact)).map(({ Id }) => Id)).toEqual([message?.Id]);
  });

  test('sends by each channel of the company where no Channel is named', async () => {
    const answer = await send({ ContactId: contact, Kind: 'NewLink' });
    expect(messagesIn(answer).map(({ Channel }) => Channel)).toEqual(['Email', 'Text']);
  });

  test('is one message, however often it is called with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { ContactId: contact, Kind: 'NewLink', Channel: 'Email' };
    const answers = await Promise.all([1, 2].map(() => company.call('messages/send', body, { headers })));
    answers.push(await company.call('messages/send', body, { headers }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await list(contact)).toHaveLength(1);
  });

  test('sends one of a list again, to the present address and with what is so now', async () => {
    const { InvoiceId } = (await company.call('invoice/import', invoiceOf(contact))).body;
    const before = await putMessage(company, { Id: 501, ContactId: contact, Due: 1_000, RecordId: Number(InvoiceId) });
    const answer = await send({ ContactId: contact, MessageId: before.Id });
    expect(answer.status, answer.text).toBe(200);
    const [again] = messagesIn(answer);
    expect(again).toMatchObject({ Kind: 'Invoice', Channel: 'Email', RecordId: InvoiceId, State: 'Waiting' });
    expect(again?.Address).not.toBe(before.Address);
    expect((await list(contact)).map(({ Id }) => Id)).toEqual([again?.Id, before.Id]);
    await company.call('invoice/import', { InvoiceId, Invoice: { Status: 'Voided' } });
    expect(statusAndMessage(await send({ ContactId: contact, MessageId: before.Id }))).toEqual([
      409,
      'The invoice is not to be paid.',
    ]);
  });

  test('keeps the message for the days of the account', async () => {
    const store = accountStore(testTable(), company.accountId);
    const daysOf = async () => {
      const [message] = messagesIn(await send({ ContactId: contact, Kind: 'NewLink', Channel: 'Email' }));
      const record = (await listAllMessages(store, contact)).find(({ Id }) => Id === message?.Id);
      const item = record && (await store.table.get(messageKey(store, record)));
      return Math.round((Number(item?.['TTL']) - Date.now() / 1000) / 86_400);
    };
    expect(await daysOf()).toBe(730);
    await writeKeptDays(store, 90);
    expect(await daysOf()).toBe(90);
  });

  test.each([
    [{ DoNotEmail: true }, 'Invoice', 'Email', 'The contact has DoNotEmail.'],
    [{ DoNotText: true }, 'Invoice', 'Text', 'The contact has DoNotText.'],
    [{ Email: '' }, 'Invoice', 'Email', 'The contact has no e-mail address.'],
    [{ Phone: '' }, 'Invoice', 'Text', 'The contact has no phone that takes texts.'],
  ])('respects %j: 409 says why, and nothing is stored', async (fields, Kind, Channel, reason) => {
    const { InvoiceId } = (await company.call('invoice/import', invoiceOf(contact))).body;
    await company.call('contacts/addupdate', { Id: contact, ...fields });
    const body = { ContactId: contact, Kind, RecordId: InvoiceId, Channel };
    expect(statusAndMessage(await send(body))).toEqual([409, reason]);
    expect((await preview(body))['Suppressed']).toBe(reason);
    expect(await list(contact)).toEqual([]);
  });

  test('respects Unsubscribed for what is not transactional alone', async () => {
    await company.call('contacts/addupdate', { Id: contact, Unsubscribed: true });
    const open = { ContactId: contact, ServiceId: company.services['Lawn care'], Title: 'Lawn', Status: 'Open' };
    const { Id } = (await company.call('proposal/create', open)).body;
    const expiring = { ContactId: contact, RecordId: Id, Kind: 'ProposalExpiring', Channel: 'Email' };
    expect(statusAndMessage(await send(expiring))).toEqual([409, 'The contact has Unsubscribed.']);
    expect((await send({ ...expiring, Kind: 'Proposal' })).status).toBe(200);
  });

  test('is 409 where the visit is not as the message says', async () => {
    const booked = slotIn(await company.book('Ann', '2035-03-05T09:00', { ContactId: contact }));
    const body = { ContactId: contact, RecordId: booked.AppointmentId, Channel: 'Email' };
    expect(statusAndMessage(await send({ ...body, Kind: 'VisitCanceled' }))).toEqual([
      409,
      'The visit is not canceled.',
    ]);
    expect((await send({ ...body, Kind: 'Reminder' })).status).toBe(200);
    const past = slotIn(
      await company.book('Ann', '2026-03-09T09:00', { ContactId: contact, SkipConflictChecks: true }),
    );
    expect(statusAndMessage(await send({ ...body, RecordId: past.AppointmentId, Kind: 'Reminder' }))).toEqual([
      409,
      'The visit has begun.',
    ]);
  });

  test('is 409 while messages are off, and a preview says so', async () => {
    await turnMessages(company, false);
    const body = { ContactId: contact, Kind: 'NewLink', Channel: 'Email' };
    const answer = await send(body);
    expectFailure(answer, 409);
    const reason = 'Messages are off. Turn them on in the company file.';
    expect([answer.body['Code'], answer.body['Message']]).toEqual(['requirement_missing', reason]);
    expect(await preview(body)).toMatchObject({ Suppressed: reason, Subject: expect.stringMatching(/./) as string });
  });

  test.each([
    [{}, 400, 'ContactId'],
    [{ ContactId: 1 }, 400, 'Kind'],
    [{ ContactId: 1, Kind: 'Reminder' }, 400, 'RecordId'],
    [{ ContactId: 1, Kind: 'Office', RecordId: 1 }, 400, 'Kind'],
    [{ ContactId: 1, Kind: 'OnTheWay', RecordId: 1, Channel: 'Email' }, 400, 'Channel'],
    [{ ContactId: 1, Kind: 'Invoice', RecordId: 999 }, 404, 'RecordId'],
    [{ ContactId: 1, MessageId: 999 }, 404, 'MessageId'],
    [{ ContactId: 1, MessageId: 999, Kind: 'Invoice' }, 400, 'Kind'],
    [{ ContactId: 999_999, Kind: 'NewLink' }, 404, 'ContactId'],
  ])('%j is %i and names %s', async (body, status, field) => {
    await company.book('Ann', '2035-03-05T11:00', { ContactId: 1, SkipConflictChecks: true });
    const answer = await send(body);
    expectFailure(answer, status);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual([field]);
  });

  test('reaches no record of another contact, and no contact of another organization', async () => {
    const { InvoiceId } = (await company.call('invoice/import', invoiceOf(company.contact))).body;
    expectFailure(await send({ ContactId: contact, Kind: 'Invoice', RecordId: InvoiceId }), 400);
    const { OrganizationId } = (await company.call('organizations/create', { Name: `O ${crypto.randomUUID()}` })).body;
    const key = await company.newKey({ role: 'Owner', organizationId: Number(OrganizationId) });
    for (const operation of ['messages/send', 'messages/preview', 'contacts/messages']) {
      const body = operation === 'contacts/messages' ? {} : { Kind: 'NewLink', Channel: 'Email' };
      expectFailure(await company.call(operation, { ContactId: contact, ...body }, { key }), 404);
      expect((await company.call(operation, { ContactId: contact, ...body })).status).toBe(200);
    }
  });
});

const invoiceOf = (ContactId: number) => ({
  Invoice: { ContactId, Lines: [{ Description: 'Mowing', Rate: 100, Qty: 1 }], Status: 'Open' },
});

describe('messages/preview', () => {
  test.each([
    ['Español (México)', /^Su enlace nuevo$/],
    ['en-US', /^Your new link$/],
    ['Français', /^Your new link$/],
  ])('is in the language of the contact, %s, else in that of the company', async (Language, subject) => {
    await company.call('contacts/addupdate', { Id: contact, Language });
    const { Subject } = await preview({ ContactId: contact, Kind: 'NewLink', Channel: 'Email' });
    expect(Subject).toMatch(subject);
  });

  test('shows an e-mail with its parts, and a text with the segments it is sent in', async () => {
    const booked = slotIn(await company.book('Ann', '2035-03-06T09:00', { ContactId: contact }));
    const body = { ContactId: contact, Kind: 'Reminder', RecordId: booked.AppointmentId };
    const email = await preview({ ...body, Channel: 'Email' });
    expect(email).toMatchObject({ Kind: 'Reminder', Channel: 'Email', Suppressed: '', Segments: 0 });
    expect(email['To']).toMatch(/^ann\..*@example\.com$/);
    expect(email['Subject']).toMatch(/Mar/);
    expect(email['Html']).toContain('/c/visit/');
    expect(email['Text']).toContain('/c/visit/');
    const text = await preview({ ...body, Channel: 'Text' });
    expect(text).toMatchObject({ Channel: 'Text', To: phoneOf(contacts), Subject: '', Html: '' });
    expect([1, 2]).toContain(text['Segments']);
    expect(await list(contact)).toEqual([]);
  });

  test('shows what is out of date with the reason', async () => {
    const past = slotIn(
      await company.book('Ann', '2026-03-10T09:00', { ContactId: contact, SkipConflictChecks: true }),
    );
    const shown = await preview({ ContactId: contact, Kind: 'Reminder', RecordId: past.AppointmentId });
    expect(shown).toMatchObject({ Suppressed: 'The visit has begun.', Subject: expect.stringMatching(/./) as string });
  });
});

describe('contacts/messages', () => {
  test('lists them newest first, page by page', async () => {
    const dues = [3, 1, 2, 5, 4];
    for (const due of dues) await putMessage(company, { Id: 600 + due, ContactId: contact, Due: due * HOUR });
    expect((await list(contact)).map(({ Id }) => Id)).toEqual([605, 604, 603, 602, 601]);
    const first = await company.call('contacts/messages', { ContactId: contact, Take: 2 });
    expect([messagesIn(first).map(({ Id }) => Id), first.headers.get('x-next-skip')]).toEqual([[605, 604], '2']);
    const last = await company.call('contacts/messages', { ContactId: contact, Take: 2, Skip: 4 });
    expect([messagesIn(last).map(({ Id }) => Id), last.headers.get('x-next-skip')]).toEqual([[601], null]);
    expect(messagesIn(last)[0]).toMatchObject({ Due: '1970-01-01T01:00:00Z', State: 'Suppressed', SentAt: null });
  });

  test('lists those of merged contacts too, until they are separated again', async () => {
    const merges = mergesOf(company);
    const other = await add({ Name: 'Ann B. Lee', Email: `b.${crypto.randomUUID()}@example.com` });
    await putMessage(company, { Id: 701, ContactId: contact, Due: HOUR });
    await putMessage(company, { Id: 702, ContactId: other, Due: 2 * HOUR });
    await putMessage(company, { Id: 703, ContactId: contact, Due: 3 * HOUR });
    await merges.send('contacts/merge', { ContactId: contact, MergeId: other });
    await merges.finish(contact, other, 3);
    for (const id of [contact, other]) expect((await list(id)).map(({ Id }) => Id)).toEqual([703, 702, 701]);
    await merges.send('contacts/unmerge', { MergeId: other });
    await merges.finish(contact, other, 3);
    expect((await list(contact)).map(({ Id }) => Id)).toEqual([703, 701]);
    expect((await list(other)).map(({ Id }) => Id)).toEqual([702]);
  });
});

test('what becomes of a message is an event; that it waits, is claimed or suppressed is none', async () => {
  const store = accountStore(testTable(), company.accountId);
  const waiting = await putMessage(company, { Id: 801, ContactId: contact, Due: HOUR });
  const key = messageKey(store, waiting);
  const change = async (changes: Parameters<typeof writeMessage>[2]) => {
    const before = await findMessage(store, key);
    if (before) await writeMessage(store, before, changes, new Date());
  };
  await change({ State: 'Waiting' });
  await change({ ClaimedUntil: 5 });
  await change({ State: 'Sent', SentAt: 2 * HOUR, ClaimedUntil: 0 });
  await change({ State: 'Delivered' });
  await change({ State: 'Complained', Reason: 'abuse' });
  await change({ State: 'Suppressed' });
  const events = (await eventsOf(company)).filter(({ Kind }) => Kind.startsWith('message.'));
  expect(events.filter(({ Id }) => Id === 801).map(({ Kind }) => Kind)).toEqual([
    'message.sent',
    'message.delivered',
    'message.complained',
  ]);
  expect(events.findLast(({ Id }) => Id === 801)).toMatchObject({
    ContactId: contact,
    OrganizationId: 1,
    Data: { Id: 801, Kind: 'Invoice', Channel: 'Email', State: 'Complained', Reason: 'abuse', About: 'Invoice' },
  });
});
