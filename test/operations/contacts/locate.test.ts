import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { contactIn, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import { type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';

const jose = {
  Name: 'José García Núñez',
  Nickname: 'Pepe',
  Company: "O'Brien Söhne",
  Email: 'Jose@Example.com',
  Phone: '(217) 555-0143',
  AltPhone: '217.555.0199',
  Address1: '12 North Main Street',
  City: 'Springfield',
  State: 'IL',
  Zip: '62701-1234',
  DigitalTrackingId: 'GA1.2.3',
  Category: 'Lead',
  Tags: ['VIP', 'Wartungsverträge'],
};

describe('a contact just added', () => {
  let account: TestAccount;
  let id: number;
  beforeAll(async () => {
    account = await testAccount();
    await account.call('contacts/addupdate', {
      Name: 'Ann Other',
      Email: 'ann@example.com',
      Phone: '(217) 555-0100',
      Address1: '9 Elm Rd',
      Zip: '99999',
      Tags: ['Other'],
    });
    id = contactIn(await account.call('contacts/addupdate', jose)).Id;
  });

  const today = new Date().toISOString().slice(0, 10);
  const criteria = {
    NameSearch: 'nun',
    PhoneSearch: '12175550143',
    EmailSearch: 'JOSE@example.COM',
    AddressSearch: 'main 62701',
    DigitalTrackingIdSearch: 'GA1.2.3',
    CategorySearch: 'lead',
    TagSearch: ['vip', 'wartungsvertrage'],
    CreatedFrom: `${today}T00:00:00Z`,
    CreatedThrough: new Date(Date.now() + 3_600_000).toISOString(),
  };

  test.each<[object]>([
    [{ NameSearch: 'jose' }],
    [{ NameSearch: 'gar' }],
    [{ NameSearch: 'NÚÑEZ' }],
    [{ NameSearch: 'pepe obrien' }],
    [{ NameSearch: 'sohn' }],
    [{ PhoneSearch: '217-555-0143' }],
    [{ PhoneSearch: '+1 (217) 555 0199' }],
    [{ PhoneSearch: '2175550143' }],
    [{ EmailSearch: 'jose@example.com' }],
    [{ AddressSearch: '62701' }],
    [{ AddressSearch: 'main' }],
    [{ AddressSearch: '12 n main st springfield' }],
    [{ TagSearch: ['VIP'] }],
    [{ CategorySearch: 'LEAD' }],
    [{ DigitalTrackingIdSearch: 'GA1.2.3' }],
    [criteria],
  ])('is found at once by %j', async (search) => {
    expect(matchesOf(await account.call('contacts/locate', search)).map(({ Id }) => Id)).toEqual([id]);
  });

  test.each(Object.keys(criteria))('is not found by all criteria when %s says otherwise', async (field) => {
    const otherwise: Record<string, unknown> = {
      NameSearch: 'ann',
      PhoneSearch: '217 555 0100',
      EmailSearch: 'ann@example.com',
      AddressSearch: 'elm',
      DigitalTrackingIdSearch: 'x',
      CategorySearch: 'Customer',
      TagSearch: ['VIP', 'Other'],
      CreatedFrom: new Date(Date.now() + 3_600_000).toISOString(),
      CreatedThrough: '2020-01-01',
    };
    expect(matchesOf(await account.call('contacts/locate', { ...criteria, [field]: otherwise[field] }))).toEqual([]);
  });

  test('is found by its new values, no longer by its old ones', async () => {
    const before = contactIn(
      await account.call('contacts/addupdate', {
        Name: 'Mia Vorher',
        Phone: '217 555 0171',
        AltPhone: '217 555 0172',
        Tags: ['moving'],
        Category: 'Lead',
      }),
    );
    await account.call('contacts/addupdate', {
      Id: before.Id,
      Name: 'Mia Nachher',
      Phone: '217 555 0173',
      AltPhone: null,
      Category: 'Customer',
    });
    await account.call('contacts/removetags', { ContactId: before.Id, TagList: [{ Name: 'Moving' }] });
    const found = async (search: object) =>
      matchesOf(await account.call('contacts/locate', search)).some(({ Id }) => Id === before.Id);
    for (const search of [{ NameSearch: 'mia nachher' }, { PhoneSearch: '2175550173' }, { CategorySearch: 'customer' }])
      expect([search, await found(search)]).toEqual([search, true]);
    for (const search of [
      { NameSearch: 'vorher' },
      { PhoneSearch: '2175550171' },
      { PhoneSearch: '2175550172' },
      { CategorySearch: 'lead' },
      { TagSearch: ['moving'] },
    ]) {
      expect([search, await found(search)]).toEqual([search, false]);
    }
  });
});

describe('of 250 contacts', () => {
  let account: TestAccount;
  let newestFirst: number[];
  beforeAll(async () => {
    account = await testAccount();
    const ids: number[] = [];
    for (let call = 0; call < 10; call++) {
      const Matches = Array.from({ length: 25 }, (_, index) => ({
        Name: `Crowd Person${call}x${index}`,
        Email: `p${call}x${index}@example.com`,
        Category: 'Lead',
        Tags: ['crowd'],
        City: 'Springfield',
      }));
      ids.push(...matchesOf(await account.call('contacts/addupdate', { Matches })).map(({ Id }) => Id));
    }
    newestFirst = ids.toSorted((a, b) => b - a);
  });

  test.each<[object]>([
    [{ TagSearch: ['Crowd'] }],
    [{ CategorySearch: 'lead' }],
    [{ CreatedFrom: '2020-01-01' }],
    [{ NameSearch: 'crowd' }],
    [{ AddressSearch: 'springf' }],
    [{ NameSearch: 'crowd', TagSearch: ['crowd'] }],
  ])('pages by %j are disjoint, complete, and newest first', async (search) => {
    const pages: number[][] = [];
    for (let Skip = 0; Skip <= 250; Skip += 70)
      pages.push(matchesOf(await account.call('contacts/locate', { ...search, Skip, Limit: 70 })).map(({ Id }) => Id));
    expect(pages.map(({ length }) => length)).toEqual([70, 70, 70, 40]);
    expect(pages.flat()).toEqual(newestFirst);
  });

  test('a page is the same whether or not earlier pages were requested', async () => {
    const ids = matchesOf(await account.call('contacts/locate', { TagSearch: ['crowd'], Skip: 123, Limit: 5 })).map(
      ({ Id }) => Id,
    );
    expect(ids).toEqual(newestFirst.slice(123, 128));
  });

  test('a page has 100 contacts by default, 500 at most', async () => {
    expect(matchesOf(await account.call('contacts/locate', { NameSearch: 'crowd' }))).toHaveLength(100);
    expect(matchesOf(await account.call('contacts/locate', { NameSearch: 'crowd', Limit: 500 }))).toHaveLength(250);
    for (const body of [{ Limit: 501 }, { Limit: -1 }, { Skip: -1 }])
      expect(fieldsOf(await account.call('contacts/locate', { NameSearch: 'crowd', ...body }))).toEqual(
        Object.keys(body),
      );
  });
});

test('a key of one organization finds its contacts only, page by page', async () => {
  const account = await testAccount();
  await testTable().commit(
    newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Shelbyville' }),
  );
  const Matches = Array.from({ length: 24 }, (_, index) => ({
    OrganizationId: 1 + (index % 2),
    Name: `Twin ${index}`,
    Email: `twin${index}@example.com`,
    Phone: `(217) 555-0143`,
    Tags: ['twin'],
  }));
  const made = matchesOf(await account.call('contacts/addupdate', { Matches }));
  const own = made
    .filter(({ OrganizationId }) => OrganizationId === 2)
    .map(({ Id }) => Id)
    .sort((a, b) => b - a);
  expect(own).toHaveLength(12);
  const key = await account.newKey({ organizationId: 2 });
  for (const search of [
    { TagSearch: ['twin'] },
    { NameSearch: 'twin' },
    { PhoneSearch: '2175550143' },
    { CreatedFrom: '2020-01-01' },
  ]) {
    const pages = [0, 5, 10].map(async (Skip) =>
      matchesOf(await account.call('contacts/locate', { ...search, Skip, Limit: 5 }, { key })).map(({ Id }) => Id),
    );
    expect((await Promise.all(pages)).flat()).toEqual(own);
  }
  const other = made.find(({ OrganizationId }) => OrganizationId === 1);
  expect(matchesOf(await account.call('contacts/locate', { IdSearch: other?.Id }, { key }))).toEqual([]);
});

describe('criteria that cannot be searched are invalid', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await testAccount();
  });

  test.each<[string, object]>([
    ['NameSearch', {}],
    ['NameSearch', { NameSearch: '', TagSearch: [], IdSearch: 0, Skip: 0, Limit: 10, ReturnPmtOnFile: true }],
    ['NameSearch', { NameSearch: '--' }],
    ['PhoneSearch', { PhoneSearch: 'none' }],
    ['EmailSearch', { EmailSearch: '   ' }],
    ['TagSearch[1]', { TagSearch: ['a', ' '] }],
    ['CategorySearch', { CategorySearch: ' ' }],
    ['CreatedFrom', { CreatedFrom: '2026-02-30' }],
    ['DigitalTrackingIdSearch', { DigitalTrackingIdSearch: ' ' }],
    ['CreatedThrough', { CreatedThrough: '2026-03-08T02:30' }],
  ])('%s: %j', async (field, body) => {
    const answer = await account.call('contacts/locate', body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  test('without a match the list is empty', async () => {
    expect((await account.call('contacts/locate', { NameSearch: 'nobody' })).body).toEqual({
      ResultCode: 0,
      Message: '',
      Matches: [],
    });
  });
});
