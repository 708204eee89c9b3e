import type { SQSRecord } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '../../functions/workers/message-feedback.ts';
import { blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import { messageTags } from '../../lib/domain/messages/reports.ts';
import { type MessageRecord, messageEntity } from '../../lib/entities/messages.ts';
import { findContact } from '../../lib/store/contacts/contacts.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { type Key, layout } from '../../lib/store/keys.ts';
import { accountStore } from '../../lib/store/store.ts';
import { takeFeedback } from '../../lib/workflows/messages/take-feedback.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await testAccount();
});
const store = () => accountStore(testTable(), account.accountId);

async function addContact(fields: object): Promise<number> {
  const { status, body } = await invoke('contacts/addupdate', { Name: 'Ann', ...fields }, { key: account.key });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
}
const contact = async (id: number) => {
  const found = await findContact(store(), id);
  if (!found) throw new Error(`no contact ${id}`);
  return found;
};

const keyOf = (ContactId: number): Key =>
  layout.message.key({
    account: account.accountId,
    contact: ContactId,
    due: '01796000000000',
    kind: 'Reminder',
    noun: 'Appointment',
    id: 9,
    channel: 'Email',
  });

/** A message that was sent. */
async function addMessage(ContactId: number, Address: string): Promise<Key> {
  const key = keyOf(ContactId);
  const now = Date.now();
  const record: MessageRecord = {
    Id: 1,
    OrganizationId: 1,
    ContactId,
    Kind: 'Reminder',
    Channel: 'Email',
    Address,
    State: 'Sent',
    Noun: 'Appointment',
    RecordId: 9,
    Reason: '',
    Visits: [],
    Stamp: '',
    Due: now,
    SentAt: now,
    Uncertain: false,
    ClaimedUntil: 0,
    ServiceId: 'm-1',
    Created: now,
    Updated: now,
    V: 1,
  };
  await testTable().commit([{ put: { ...key, E: 'Message', ...messageEntity.write(record) } }]);
  return key;
}
const message = async (key: Key) => messageEntity.read((await testTable().get(key)) ?? key);

/** Delivers reports as SQS does, and returns the indexes of those that are delivered again. */
async function deliver(...bodies: readonly (object | string)[]): Promise<number[]> {
  const records = bodies.map((body, index) => ({
    messageId: String(index),
    receiptHandle: String(index),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1' },
  })) as unknown as SQSRecord[];
  const { batchItemFailures } = await handler({ Records: records });
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
}

const mailOf = (key: Key) => ({ tags: { message: [messageTags(key, 'Reminder')['message']] } });
const bounced = (key: Key, more: object = {}) => ({
  eventType: 'Bounce',
  bounce: { bounceType: 'Permanent', bounceSubType: 'NoEmail', timestamp: '2026-11-29T10:00:00Z', ...more },
  mail: mailOf(key),
});
const delivered = (key: Key) => ({
  eventType: 'Delivery',
  delivery: { timestamp: '2026-11-29T10:00:01Z' },
  mail: mailOf(key),
});
const complained = (key: Key) => ({
  eventType: 'Complaint',
  complaint: { timestamp: '2026-11-29T11:00:00Z', complaintFeedbackType: 'abuse' },
  mail: mailOf(key),
});

/** What the office is asked about a contact. */
const tasksOf = async (ContactId: number) =>
  ((await account.call('task/query', { ContactId })).body['Tasks'] as { Description: string }[]).map(
    ({ Description }) => Description,
  );

test('a hard bounce is the state of the message, and why its contact’s address is not used', async () => {
  const id = await addContact({ Email: 'ann@example.com' });
  const key = await addMessage(id, 'Ann@example.com');
  expect(await deliver(delivered(key))).toEqual([]);
  expect(await message(key)).toMatchObject({ State: 'Delivered', V: 2 });
  expect(await deliver(bounced(key), bounced(key), delivered(key))).toEqual([]);
  expect(await message(key)).toMatchObject({ State: 'Bounced', Reason: 'the mailbox does not exist', V: 3 });
  const problem = 'Ann@example.com bounced on 2026-11-29: the mailbox does not exist';
  const { EmailProblem, V } = await contact(id);
  expect(EmailProblem).toBe(problem);
  expect(await tasksOf(id)).toEqual([`${problem}. Please ask for another address.`]);
  // Delivered once more, it changes nothing.
  expect(await deliver(bounced(key))).toEqual([]);
  expect(await contact(id)).toMatchObject({ EmailProblem: problem, V });
  expect(await deliver(complained(key))).toEqual([]);
  expect(await message(key)).toMatchObject({ State: 'Complained' });
  expect((await contact(id)).EmailProblem).toBe(
    'Ann@example.com complained on 2026-11-29: the message was reported as spam',
  );
});

test('a full mailbox, and an address that was corrected since, keep the address', async () => {
  const id = await addContact({ Email: 'ann@example.com' });
  const key = await addMessage(id, 'old@example.com');
  await deliver(bounced(key));
  expect(await message(key)).toMatchObject({ State: 'Bounced' });
  const other = await addContact({ Name: 'Ben', Email: 'ben@example.com' });
  const soft = await addMessage(other, 'ben@example.com');
  await deliver(bounced(soft, { bounceType: 'Transient', bounceSubType: 'MailboxFull' }));
  expect(await message(soft)).toMatchObject({ State: 'Bounced', Reason: 'the mailbox is full' });
  expect([await contact(id), await contact(other)].map(({ EmailProblem }) => EmailProblem)).toEqual(['', '']);
});

test('a report about a message that was erased changes nothing; one of another form is delivered again', async () => {
  const key = keyOf(77);
  expect(await deliver(bounced(key), { Type: 'Unknown' }, 'no JSON')).toEqual([1, 2]);
  expect(await testTable().get(key)).toBeUndefined();
});

const inbound = (originationNumber: string, messageBody: string) => ({
  originationNumber,
  destinationNumber: '+12125550101',
  messageKeyword: 'KEYWORD_1',
  messageBody,
  inboundMessageId: 'cae173d2-66b9-564c-8309-21f858e9fb84',
});

/** A number that no other test uses. */
const newNumber = () => `217555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`;

test('STOP and START set and clear DoNotText of all contacts with the number, in all accounts, and are answered', async () => {
  const number = newNumber();
  const text = { kind: 'sent' as const, serviceId: '1' };
  const sendText = vi.fn<(sent: { to: string; text: string }) => Promise<typeof text>>(async () => text);
  const say = (body: string) =>
    takeFeedback(testTable(), [inbound(`+1${number}`, body)], { now: new Date() }, { sendText });
  const first = account;
  const ids = [await addContact({ Phone: number }), await addContact({ Name: 'Ben', AltPhone: number })];
  const stranger = await addContact({ Name: 'Cem', Phone: '3125550199' });
  await account.call('organizations/update', {
    OrganizationId: 1,
    PublicName: 'Grün & Co',
    PrimaryPhone: '2175550100',
  });
  account = await testAccount();
  const elsewhere = await addContact({ Phone: number });
  const flags = async () => {
    const other = (await findContact(accountStore(testTable(), account.accountId), elsewhere))?.DoNotText;
    const own = await Promise.all(
      [...ids, stranger].map((id) => findContact(accountStore(testTable(), first.accountId), id)),
    );
    return [...own.map((found) => found?.DoNotText), other];
  };
  expect(await flags()).toEqual([false, false, false, false]);
  expect(await say('Stop')).toEqual({ done: 1, failures: [] });
  expect(await flags()).toEqual([true, true, false, true]);
  await say('help');
  await say('OK, see you');
  expect(await flags()).toEqual([true, true, false, true]);
  await say('START');
  expect(await flags()).toEqual([false, false, false, false]);
  expect(sendText.mock.calls.map(([{ to }]) => to)).toEqual(Array.from({ length: 3 }, () => `+1${number}`));
  expect(sendText.mock.calls.map(([{ text: said }]) => said.replace(/^[^:]+: /, ''))).toEqual([
    'You get no more texts from us. Reply START to get them again.',
    expect.stringMatching(/^We text you about visits, proposals and invoices. Reply STOP to end it. To reach us: \S/),
    'You get our texts again. Reply STOP to end them, HELP for help.',
  ]);
});

test('the answers to STOP and HELP are in the language of the messages of the organization, with its name and phone', async () => {
  const number = newNumber();
  const said: string[] = [];
  const sendText = async ({ text }: { text: string }) => {
    said.push(text);
    return { kind: 'sent' as const, serviceId: '1' };
  };
  const say = (body: string) =>
    takeFeedback(testTable(), [inbound(`+1${number}`, body)], { now: new Date() }, { sendText });
  account = await testAccount();
  await addContact({ Phone: number });
  await say('HELP');
  await putOrganizationSettings(account, { PublicName: 'Jardines Luz', PrimaryPhone: '(217) 555-0100' });
  const settings = { ...blankMessageSettings(1), Language: 'es' as const };
  await testTable().commit([messageSettingsChange({ account: account.accountId }, settings)]);
  await say('Alto');
  await say('ayuda');
  expect(said[0]).toMatch(/: We text you about visits/);
  expect(said.slice(1)).toEqual([
    'Jardines Luz: Ya no le enviamos mensajes de texto. Responda START para recibirlos de nuevo.',
    expect.stringMatching(/^Jardines Luz: Le escribimos sobre visitas, propuestas y facturas. .*: \S*217.*555.*0100$/),
  ]);
});

test('a word from a number of no contact is answered in English, without a name', async () => {
  const texts: string[] = [];
  const sendText = async ({ text }: { text: string }) => {
    texts.push(text);
    return { kind: 'sent' as const, serviceId: '1' };
  };
  await takeFeedback(testTable(), [inbound(`+1${newNumber()}`, 'Help')], { now: new Date() }, { sendText });
  expect(texts).toEqual([
    'We text you about visits, proposals and invoices. Reply STOP to end it. To reach us: Please call or e-mail us.',
  ]);
});
