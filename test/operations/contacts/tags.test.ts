import { beforeAll, describe, expect, test } from 'vitest';
import { branches, contactIn, eventsOf, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import { type TestAccount, testAccount } from '../../support/stack/stack.ts';

interface Tag {
  readonly Id: number;
  readonly Name: string;
}

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
});
let number = 0;
const make = async (more: object = {}) =>
  contactIn(
    await account.call('contacts/addupdate', { Name: 'Tagged', Email: `tagged${++number}@example.com`, ...more }),
  ).Id;
const tags = (operation: 'addtags' | 'removetags', ContactId: number, ...TagList: object[]) =>
  account.call(`contacts/${operation}`, { ContactId, TagList });
const listed = async (ContactId: number) =>
  (await account.call('contacts/listtags', { ContactId })).body['TagList'] as Tag[];
const names = ({ body }: { body: Record<string, unknown> }) => (body['TagList'] as Tag[]).map(({ Name }) => Name);

describe('addtags', () => {
  test('adds by name, creates new tags, and returns the same list as listtags', async () => {
    const id = await make({ Tags: ['First'] });
    const answer = await tags('addtags', id, { Name: ' Maintenance plan ' }, { Name: 'VIP' });
    expect(answer.body).toEqual({ ResultCode: 0, Message: '', ContactId: id, TagList: expect.any(Array) as Tag[] });
    expect(names(answer)).toEqual(['First', 'Maintenance plan', 'VIP']);
    expect(await listed(id)).toEqual(answer.body['TagList']);
    expect(contactIn(await account.call('contacts/locate', { IdSearch: id })).Tags).toEqual(names(answer));
    expect(
      matchesOf(await account.call('contacts/locate', { TagSearch: ['maintenance PLAN', 'vip'] })).map(({ Id }) => Id),
    ).toContain(id);
  });

  test('finds a tag without case and accents; the first name stays for all contacts', async () => {
    const [one, other] = [await make(), await make()];
    await tags('addtags', one, { Name: 'Prés' });
    const answer = await tags('addtags', other, { Name: 'PRES' }, { Name: 'prés' });
    expect(answer.body['TagList']).toEqual(await listed(one));
    expect(names(answer)).toEqual(['Prés']);
  });

  test('adds by Id; an unknown Id is 404', async () => {
    const [one, other] = [await make(), await make({ Tags: ['By Id'] })];
    const [tag] = await listed(other);
    expect((await tags('addtags', one, { Id: tag?.Id, Name: 'whatever it says' })).body['TagList']).toEqual([tag]);
    const stranger = await testAccount();
    const theirs = contactIn(await stranger.call('contacts/addupdate', { Name: 'x' })).Id;
    for (const [of, ContactId, Id] of [
      [account, one, 2_000_000_000],
      [stranger, theirs, tag?.Id],
    ] as const) {
      const answer = await of.call('contacts/addtags', { ContactId, TagList: [{ Name: 'New' }, { Id }] });
      expect([answer.status, fieldsOf(answer)]).toEqual([404, ['TagList']]);
    }
    expect(await listed(one)).toEqual([tag]);
  });

  test('of a tag that the contact has changes nothing and has no event', async () => {
    const id = await make({ Tags: ['Loyal'] });
    const before = await eventsOf(account);
    expect(names(await tags('addtags', id, { Name: 'LOYAL' }))).toEqual(['Loyal']);
    expect(names(await tags('addtags', id))).toEqual(['Loyal']);
    expect(await eventsOf(account)).toEqual(before);
  });

  test.each<[string[], object[]]>([
    [['TagList[1].Name'], [{ Name: 'ok' }, { Name: '  ' }]],
    [
      ['TagList[0].Name', 'TagList[2].Name'],
      [{}, { Id: 1 }, { Id: 0, Name: '\u0301' }],
    ],
    [['TagList[0].Name'], [{ Name: 'x'.repeat(101) }]],
    [['TagList'], Array.from({ length: 51 }, (_, index) => ({ Name: `${index}` }))],
  ])('names what is at fault: %j', async (fields, list) => {
    const answer = await tags('addtags', await make(), ...list);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  });

  test('adds 50 new tags at once, in any script; a contact has at most 100', async () => {
    const id = await make();
    const fifty = (start: string) => Array.from({ length: 50 }, (_, index) => ({ Name: `${start} ${index}` }));
    await tags('addtags', id, ...fifty('a'));
    expect((await tags('addtags', id, ...fifty('b'))).status).toBe(200);
    expect(fieldsOf(await tags('addtags', id, { Name: 'one more' }))).toEqual(['TagList']);
    const odd = ['\uFDFA'.repeat(100), '😀'.repeat(50), '##%%#', '日本', '<script>', '../x'];
    expect(names(await tags('addtags', await make(), ...odd.map((Name) => ({ Name }))))).toEqual(odd);
    expect(
      matchesOf(await account.call('contacts/locate', { TagSearch: ['\uFDFA'.repeat(100), '##%%#'] })),
    ).toHaveLength(1);
  });

  test('of one new name to 20 contacts at once creates one tag', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => make()));
    const answers = await Promise.all(ids.map((id) => tags('addtags', id, { Name: 'Race' })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body['TagList']))).size).toBe(1);
  });
});

describe('removetags', () => {
  test('removes by Id or by name without case; a missing tag changes nothing', async () => {
    const id = await make({ Tags: ['One', 'Two', 'Three'] });
    const [one] = await listed(id);
    expect(names(await tags('removetags', id, { Id: one?.Id }, { Name: ' TWO' }))).toEqual(['Three']);
    const before = await eventsOf(account);
    expect(names(await tags('removetags', id, { Name: 'one' }, { Id: 2_000_000_000 }))).toEqual(['Three']);
    expect(await eventsOf(account)).toEqual(before);
    expect(matchesOf(await account.call('contacts/locate', { TagSearch: ['One'] })).map(({ Id }) => Id)).not.toContain(
      id,
    );
  });
});

test('each change of tags is one contact.updated event with Tags', async () => {
  const id = await make();
  await tags('addtags', id, { Name: 'Event A' }, { Name: 'Event B' });
  await tags('removetags', id, { Name: 'event a' });
  const events = (await eventsOf(account)).filter(({ ContactId }) => ContactId === id);
  expect(events.map(({ Kind, Changed }) => [Kind, Kind === 'contact.created' ? [] : Changed])).toEqual([
    ['contact.created', []],
    ['contact.updated', ['Tags']],
    ['contact.updated', ['Tags']],
  ]);
  expect(events.map(({ Data }) => Data?.['Tags'])).toEqual([[], ['Event A', 'Event B'], ['Event B']]);
});

test.each(['addtags', 'listtags', 'removetags'])(
  '%s of a contact of another organization is 404',
  async (operation) => {
    const company = await branches();
    const made = contactIn(
      await company.call('contacts/addupdate', { Name: 'There', OrganizationId: 2, Tags: ['Secret'] }),
    );
    const key = await company.newKey({ organizationId: 3 });
    const answer = await company.call(
      `contacts/${operation}`,
      { ContactId: made.Id, ...(operation === 'listtags' ? {} : { TagList: [{ Name: 'x' }] }) },
      { key },
    );
    expect([answer.status, fieldsOf(answer), answer.text.includes('Secret')]).toEqual([404, ['ContactId'], false]);
  },
);
