import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { carefully } from '../support/faults/carefully.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { invoke } from '../support/stack/invoke.ts';

let faulty: FaultyTable;
let key: string;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());
beforeEach(async () => {
  ({ key } = await faulty.newAccount());
  catchUp();
});

/** Replicas have caught up, and from now on stay a minute behind. */
const catchUp = () => faulty.line.lag(60_000);

async function call(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await carefully((headers) => invoke(operation, body, { key, headers }));
  expect(answer, operation).toMatchObject({ status: 200 });
  return answer.body;
}

/** A contact with something to be found by in every way. */
const contact = (number: number) => ({
  Name: `Zoë Marsh${number}`,
  Nickname: 'Zozo',
  Company: 'Marsh Brothers',
  Email: `zoe${number}@example.com`,
  Phone: `(217) 555-${1000 + number}`,
  AltPhone: '(217) 555-0999',
  Address1: '12 Elm Street',
  City: 'Springfield',
  Zip: '62701',
  Category: 'Lead',
  DigitalTrackingId: 'click-7',
  Tags: ['VIP', `only ${number}`],
});

const criteria = {
  'a word of the name': { NameSearch: 'zoe' },
  'a nickname and the company': { NameSearch: 'zozo brothers' },
  'its e-mail': { EmailSearch: 'ZOE1@example.com' },
  'its phone': { PhoneSearch: '217-555-1001' },
  'the other phone': { PhoneSearch: '2175550999' },
  'a word of the address': { AddressSearch: 'elm' },
  'the zip': { AddressSearch: '62701' },
  'the tracking id': { DigitalTrackingIdSearch: 'click-7' },
  'the category': { CategorySearch: 'lead' },
  'a tag': { TagSearch: ['vip'] },
  'two tags': { TagSearch: ['vip', 'only 1'] },
  'the time of creation': { CreatedFrom: '2020-01-01' },
  'a name and a tag': { NameSearch: 'zozo', TagSearch: ['only 1'] },
  'a tag and the category': { TagSearch: ['vip'], CategorySearch: 'lead' },
};

const found = async (search: object) =>
  ((await call('contacts/locate', search))['Matches'] as { Id: number }[]).map(({ Id }) => Id);
const add = async (Matches: object[]) =>
  ((await call('contacts/addupdate', { Matches }))['Matches'] as { Id: number }[]).map(({ Id }) => Id);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([1, 20])('with eventual reads a minute old, of %s similar contacts,', (count) => {
  test('a contact just added is found by every criterion', async () => {
    const ids = await add(numbers(count).map(contact));
    for (const [what, search] of Object.entries(criteria)) expect(await found(search), what).toContain(ids[0]);
  });

  test('a contact just changed is found by its new values', async () => {
    const ids = await add(
      numbers(count).map((number) => ({ Name: `Before${number}`, Email: `before${number}@example.com` })),
    );
    catchUp();
    await add(ids.map((Id, index) => ({ ...contact(index + 1), Id })));
    for (const [what, search] of Object.entries(criteria)) expect(await found(search), what).toContain(ids[0]);
  });

  test('a contact just tagged is found by the tag, and the tag by its id', async () => {
    const ids = await add(
      numbers(count).map((number) => ({ Name: `Tagged${number}`, Email: `tagged${number}@example.com` })),
    );
    catchUp();
    for (const ContactId of ids) await call('contacts/addtags', { ContactId, TagList: [{ Name: 'Gold' }] });
    expect((await found({ TagSearch: ['gold'] })).length).toBe(count);
    const [other = 0] = await add([{ Name: 'Other', Email: 'other@example.com' }]);
    const { TagList } = await call('contacts/listtags', { ContactId: ids[0] });
    const [gold] = TagList as { Id: number }[];
    await call('contacts/addtags', { ContactId: other, TagList: [{ Id: gold?.Id }] });
  });
});

test('a contact just added is updated and not added twice, by e-mail or by phone and name', async () => {
  const [id] = await add([contact(1)]);
  expect(await add([{ Email: 'zoe1@example.com', City: 'Chatham' }])).toEqual([id]);
  expect(await add([{ Name: 'Zoë Marsh1', Phone: '2175551001', Nickname: 'Z' }])).toEqual([id]);
});

test('the reads of this connection are stale', async () => {
  const table = openTable();
  const place = { PK: 'A#stale', SK: 'ITEM' };
  await table.commit([{ put: place }]);
  expect([await table.get(place, { consistent: false }), (await table.query({ partition: place.PK })).items]).toEqual([
    undefined,
    [],
  ]);
  expect([
    await table.get(place),
    (await table.query({ partition: place.PK, consistent: true })).items.length,
  ]).toMatchObject([place, 1]);
});
