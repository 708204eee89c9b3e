import { expect, test } from 'vitest';
import { branches, contactIn, eventsOf, matchesOf } from '../../support/stack/branches.ts';
import { testAccount } from '../../support/stack/stack.ts';

test('each change of a contact is one event, in order, with the changed fields', async () => {
  const account = await branches();
  const run = async (operation: string, body: object) => {
    const answer = await account.call(`contacts/${operation}`, body);
    expect([operation, answer.status]).toEqual([operation, 200]);
    return answer;
  };
  const made = contactIn(
    await run('addupdate', {
      Name: 'Zoë',
      Email: 'zoe@example.com',
      OrganizationId: 2,
      Notes: [{ Body: 'first' }],
      PmtOnFileLast4: '4242',
    }),
  );
  const { Id } = made;
  await run('addupdate', { Id, Nickname: 'Zo', Zip: '62701', DoNotText: true });
  await run('addupdate', { Id, Nickname: 'Zo' });
  await run('addnote', { ContactId: Id, Note: { Title: 'Gate' } });
  await run('addupdate', { Id, Notes: [{ Id: made.Notes[0]?.Id, Body: 'changed' }] });
  await run('addtags', { ContactId: Id, TagList: [{ Name: 'VIP' }] });
  await run('logcall', { Chars: JSON.stringify({ ContactId: Id, Note: 'called' }) });
  await run('addupdate', {
    Id,
    Phone: '(217) 555-0143',
    Notes: [{ Body: 'with a phone' }],
    CustomFields: [{ Id: 1, Value: '#' }],
  });
  await run('addupdate', { Id, PmtOnFileLast4: '1111' });
  const events = await eventsOf(account);
  const ofContact = events.filter(({ Kind }) => Kind !== 'call.logged');
  expect(ofContact.map(({ Kind, Changed }) => [Kind, Kind === 'contact.created' ? [] : Changed])).toEqual([
    ['contact.created', []],
    ['contact.updated', ['AccountingClass', 'DoNotText', 'Nickname', 'TerritoryID', 'Zip']],
    ['note.created', expect.any(Array)],
    ['note.updated', ['Body']],
    ['contact.updated', ['Tags']],
    ['note.created', []],
    ['contact.updated', ['CustomFields', 'Notes', 'Phone']],
    ['contact.updated', ['PmtOnFileLast4']],
  ]);
  expect(events.filter(({ Kind }) => Kind === 'call.logged')).toMatchObject([
    { ContactId: Id, Data: { Note: 'called' } },
  ]);
  expect(new Set(events.map(({ OrganizationId, ContactId }) => `${OrganizationId} ${ContactId}`))).toEqual(
    new Set([`2 ${Id}`]),
  );
  expect(events.filter(({ At }) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(At))).toEqual([]);
});

test('Data is the contact as contacts/locate returns it, without the payment on file', async () => {
  const account = await branches();
  const made = contactIn(
    await account.call('contacts/addupdate', {
      Name: 'Ann',
      OrganizationId: 2,
      Zip: '62701',
      Tags: ['a'],
      CustomFields: [{ Id: 2, Value: 1.5 }],
      NamedTaxRate: { Id: 5 },
      PmtOnFileLast4: '4242',
      ReturnPmtOnFile: true,
    }),
  );
  const [created] = await eventsOf(account);
  expect(created?.Data).toEqual({ ...made, PmtOnFileLast4: '' });
  expect(JSON.stringify(created)).not.toContain('4242');
});

test('a failed call has no event: an invalid contact among 25, a lost race, a repeated Idempotency-Key', async () => {
  const account = await testAccount();
  const Matches = Array.from({ length: 25 }, (_, index) => ({
    Name: `E${index}`,
    Email: index === 7 ? 'bad' : `e${index}@example.com`,
  }));
  expect((await account.call('contacts/addupdate', { Matches })).status).toBe(400);
  expect(await eventsOf(account)).toEqual([]);
  const headers = { 'idempotency-key': 'events-1' };
  for (let again = 0; again < 3; again++)
    await account.call('contacts/addupdate', { Name: 'Once', Notes: [{ Body: 'once' }] }, { headers });
  expect((await eventsOf(account)).map(({ Kind }) => Kind)).toEqual(['contact.created']);
});

test('25 contacts of a call are 25 events', async () => {
  const account = await testAccount();
  const made = matchesOf(
    await account.call('contacts/addupdate', {
      Matches: Array.from({ length: 25 }, (_, index) => ({
        Name: `E${index}`,
        Email: `e${index}@example.com`,
        Tags: ['shared'],
      })),
    }),
  );
  const events = await eventsOf(account);
  expect(events.map(({ Kind }) => Kind)).toEqual(made.map(() => 'contact.created'));
  expect(new Set(events.map(({ Id }) => Id))).toEqual(new Set(made.map(({ Id }) => Id)));
});
