import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll, expect, test, vi } from 'vitest';
import { messageTags } from '../../../lib/domain/messages/reports.ts';
import type { ContactMessage } from '../../../lib/entities/messages.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { listAllMessages, messageKey } from '../../../lib/store/messages.ts';
import { turnMessages } from '../../support/messages.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../../support/stack/stack.ts';

/** The whole way of a message on the stack: sent by the worker, and its report taken of the queue. */

let account: TestAccount;
const PHONE = '+12175550177';

beforeAll(async () => {
  account = await testAccount();
  await turnMessages(account, true);
});

async function addContact(fields: object): Promise<number> {
  const { body } = await account.call('contacts/addupdate', { OrganizationId: 1, Zip: '62701', ...fields });
  return (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
}

const listed = async (ContactId: number) =>
  (await account.call('contacts/messages', { ContactId })).body['Messages'] as ContactMessage[];

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 250 });

/** Puts into the queue what a service reports. */
async function report(body: object): Promise<void> {
  const { AwsEndpoint: endpoint, Region: region } = testStack();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const queue = new SQSClient({ endpoint, region, credentials });
  const QueueUrl = `${endpoint}/000000000000/message-feedback`;
  await queue.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  queue.destroy();
}

test('a message that is asked for is sent by the worker, and is Delivered when the service reports it', async () => {
  const contact = await addContact({ Name: 'Ann', Email: 'ann@example.com' });
  const answer = await account.call('messages/send', { ContactId: contact, Kind: 'NewLink', Channel: 'Email' });
  expect(answer.status, answer.text).toBe(200);
  await waitFor(async () => expect((await listed(contact))[0]?.State).toBe('Sent'));
  const store = accountStore(testTable(), account.accountId);
  const [stored] = await listAllMessages(store, contact);
  if (!stored) throw new Error('no message');
  const { message } = messageTags(messageKey(store, stored), stored.Kind);
  const mail = { timestamp: new Date().toISOString(), tags: { message: [message] } };
  await report({ eventType: 'Delivery', mail, delivery: { timestamp: new Date().toISOString() } });
  await waitFor(async () => expect((await listed(contact))[0]?.State).toBe('Delivered'));
});

test('a STOP in the queue sets DoNotText of who texts it', async () => {
  const contact = await addContact({ Name: 'Ben', Phone: PHONE });
  await report({ originationNumber: PHONE, destinationNumber: '+12125550101', messageBody: 'STOP' });
  await waitFor(async () => {
    const { body } = await account.call('contacts/locate', { IdSearch: contact });
    expect((body['Matches'] as { DoNotText: boolean }[])[0]?.DoNotText).toBe(true);
  });
});
