import type { Contact } from '../../lib/entities/contacts.ts';
import { expect, test } from 'vitest';
import { responseChange } from '../../lib/store/requests/idempotency.ts';
import { parseKey } from '../../lib/store/requests/api-keys.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';
import { expectFailure } from '../support/failed.ts';

const addNote = (account: TestAccount, body: object, idempotencyKey: string) =>
  account.call('contacts/addnote', body, { headers: { 'idempotency-key': idempotencyKey } });

async function withContact() {
  const account = await testAccount();
  const { body } = await account.call('contacts/addupdate', { Name: 'Ana Ruiz', Email: 'ana@example.com' });
  const [contact] = body['Matches'] as Contact[];
  const notes = async () => {
    const located = await account.call('contacts/locate', { IdSearch: contact?.Id });
    return (located.body['Matches'] as Contact[])[0]?.Notes.map(({ Body }) => Body);
  };
  return { account, ContactId: contact?.Id, notes };
}

test('a call is the same whatever the order of its members', async () => {
  const { account, ContactId, notes } = await withContact();
  const first = await addNote(account, { ContactId, Note: { Title: 'Gate', Body: 'Ring twice.' } }, 'ordered');
  const again = await addNote(account, { Note: { Body: 'Ring twice.', Title: 'Gate' }, ContactId }, 'ordered');
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect(await notes()).toEqual(['Ring twice.']);
});

test('a call whose response another version saved in its own form is not done again: 409 says what to do', async () => {
  const { account, ContactId, notes } = await withContact();
  const note = { ContactId, Note: { Body: 'Ring twice.' } };
  expect((await addNote(account, note, 'former')).status).toBe(200);
  const { publicPart = '' } = parseKey(account.key) ?? {};
  const key = { publicPart, idempotencyKey: 'former' };
  const store = { account: account.accountId };
  const change = responseChange(store, key, { Fingerprint: 'of another version', Status: 200, Body: '{}' }, new Date());
  if (!('put' in change)) throw new Error('a response is put');
  const { Form: _, ...former } = change.put;
  await testTable().putMany([{ ...former, PK: change.put.PK, SK: change.put.SK }]);

  const again = await addNote(account, note, 'former');
  expectFailure(again, 409);
  expect([again.body['Code'], again.body['Message']]).toEqual([
    'idempotency_mismatch',
    expect.stringContaining('before the API was updated'),
  ]);
  expect(await notes()).toEqual(['Ring twice.']);
});
