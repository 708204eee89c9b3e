import { beforeAll, describe, expect, test } from 'vitest';
import { branches, contactIn, eventsOf, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import { type TestAccount, testAccount } from '../../support/stack/stack.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
});
let number = 0;
const make = async (more: object = {}) =>
  contactIn(
    await account.call('contacts/addupdate', { Name: 'Noted', Email: `noted${++number}@example.com`, ...more }),
  );
const note = (ContactId: number, Note: object) => account.call('contacts/addnote', { ContactId, Note });
const notesOf = async (IdSearch: number) => contactIn(await account.call('contacts/locate', { IdSearch })).Notes;

describe('addnote', () => {
  test('adds a note, returns it with its Id, and has one event', async () => {
    const { Id } = await make();
    const { body } = await note(Id, { Title: ' Gate ', Body: '<b>4711</b>\n=1+1' });
    const added = { Id: expect.any(Number) as number, Title: 'Gate', Body: '<b>4711</b>\n=1+1' };
    expect(body).toEqual({ ResultCode: 0, Message: '', ContactId: Id, Note: added });
    expect(await notesOf(Id)).toEqual([added]);
    const events = (await eventsOf(account)).filter(({ ContactId }) => ContactId === Id);
    expect(events.map(({ Kind }) => Kind)).toEqual(['contact.created', 'note.created']);
    expect(events[1]).toMatchObject({
      Id: (body['Note'] as { Id: number }).Id,
      ContactId: Id,
      OrganizationId: 1,
      Data: { Title: 'Gate' },
    });
  });

  test('adds a new note even if the request has an Id', async () => {
    const { Id, Notes } = await make({ Notes: [{ Body: 'first' }] });
    expect((await note(Id, { Id: Notes[0]?.Id, Body: 'second' })).status).toBe(200);
    expect((await notesOf(Id)).map(({ Body }) => Body)).toEqual(['first', 'second']);
  });

  test.each<[number, string[], object]>([
    [400, ['Note.Body'], { Note: { Title: ' ', Body: '\n' } }],
    [400, ['Note'], {}],
    [400, ['Note.Body'], { Note: { Body: 'x'.repeat(10_001) } }],
    [400, ['Note.Title'], { Note: { Title: 'x'.repeat(201) } }],
    [404, ['ContactId'], { ContactId: 2_000_000_000, Note: { Body: 'x' } }],
    [400, ['ContactId'], { ContactId: 0, Note: { Body: 'x' } }],
  ])('is %i on %j for %j', async (status, fields, body) => {
    const { Id } = await make();
    const answer = await account.call('contacts/addnote', { ContactId: Id, ...body });
    expect([answer.status, fieldsOf(answer)]).toEqual([status, fields]);
  });

  test('of 20 concurrent calls loses no note', async () => {
    const { Id } = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => note(Id, { Body: `note ${index}` })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const kept = await notesOf(Id);
    expect([new Set(kept.map((each) => each.Body)).size, new Set(kept.map((each) => each.Id)).size]).toEqual([20, 20]);
  });

  test("is for a service agent's key, of the contact's own organization only", async () => {
    const company = await branches();
    const made = contactIn(await company.call('contacts/addupdate', { Name: 'There', OrganizationId: 2 }));
    const by = async (organizationId: number) =>
      (
        await company.call(
          'contacts/addnote',
          { ContactId: made.Id, Note: { Body: 'x' } },
          { key: await company.newKey({ role: 'ServiceAgent', organizationId }) },
        )
      ).status;
    expect([await by(2), await by(3)]).toEqual([200, 404]);
  });
});

describe('more notes than a contact itself holds', () => {
  const long = (index: number) => `${index} ${'ä'.repeat(400)}`;
  let id: number;
  beforeAll(async () => {
    ({ Id: id } = await make({ Tags: ['much'] }));
    for (let call = 0; call < 6; call++) {
      await account.call('contacts/addupdate', {
        Id: id,
        Notes: Array.from({ length: 50 }, (_, index) => ({ Body: long(call * 50 + index) })),
      });
    }
  });

  test('are all returned in order, by any search and among other contacts', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => long(index));
    expect((await notesOf(id)).map(({ Body }) => Body)).toEqual(bodies);
    await make({ Tags: ['much'] });
    const both = matchesOf(await account.call('contacts/locate', { TagSearch: ['much'] }));
    expect(both.map(({ Notes }) => Notes.length)).toEqual([0, 300]);
  });

  test('are in the response of an update, and change nothing when sent back', async () => {
    const complete = contactIn(await account.call('contacts/locate', { IdSearch: id }));
    const events = await eventsOf(account);
    expect(contactIn(await account.call('contacts/addupdate', { Matches: [complete] }))).toEqual(complete);
    expect(await eventsOf(account)).toEqual(events);
    expect(
      contactIn(await account.call('contacts/addupdate', { Id: id, Notes: [{ Body: 'one more' }] })).Notes,
    ).toHaveLength(301);
  });

  test('can be changed while they are new; changing an old one is invalid', async () => {
    const all = await notesOf(id);
    const change = (Id: number | undefined) =>
      account.call('contacts/addupdate', { Id: id, Notes: [{ Id, Body: 'changed' }] });
    expect((await change(all.at(-1)?.Id)).status).toBe(200);
    expect(fieldsOf(await change(all[0]?.Id))).toEqual(['Notes[0]']);
    expect((await notesOf(id)).filter(({ Body }) => Body === 'changed')).toHaveLength(1);
  });

  test('have one event each', async () => {
    const { Id } = await make();
    for (let index = 0; index < 8; index++) await note(Id, { Body: `${index} ${'x'.repeat(9_900)}` });
    const events = (await eventsOf(account)).filter(({ ContactId }) => ContactId === Id);
    expect(events.map(({ Kind }) => Kind)).toEqual([
      'contact.created',
      ...Array.from({ length: 8 }, () => 'note.created'),
    ]);
    expect((await notesOf(Id)).map(({ Body }) => Body[0])).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });
});

test('one contact may have 150 long notes; more than a transaction holds is invalid and stores nothing', async () => {
  const Notes = Array.from({ length: 150 }, (_, index) => ({ Title: `${index}`, Body: 'x'.repeat(10_000) }));
  const made = await make({ Notes });
  expect(made.Notes.map(({ Title }) => Title)).toEqual(Notes.map(({ Title }) => Title));
  expect((await notesOf(made.Id)).length).toBe(150);
  const answer = await account.call('contacts/addupdate', {
    Name: 'Too much',
    Notes: Array.from({ length: 310 }, () => ({ Body: 'x'.repeat(10_000) })),
  });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Notes']]);
  expect(matchesOf(await account.call('contacts/locate', { NameSearch: 'too much' }))).toEqual([]);
});

test('many short notes fit too', async () => {
  const { Id } = await make();
  for (let call = 0; call < 3; call++)
    await account.call('contacts/addupdate', {
      Id,
      Notes: Array.from({ length: 1_000 }, (_, index) => ({ Body: `${call * 1_000 + index}` })),
    });
  expect((await notesOf(Id)).map(({ Body }) => Number(Body))).toEqual(
    Array.from({ length: 3_000 }, (_, index) => index),
  );
});
