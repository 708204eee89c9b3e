import { beforeAll, describe, expect, test } from 'vitest';
import { type TestAccount, type TestAnswer, testAccount } from '../../support/stack/stack.ts';

interface Class {
  readonly Id: number;
  readonly AccountingClass: string;
  readonly TerritoryID: string;
  readonly PostalCodes: string[];
}

const classesIn = ({ body }: TestAnswer): Class[] => body['Matches'] as Class[];
const namesIn = (answer: TestAnswer): string[] => classesIn(answer).map(({ AccountingClass }) => AccountingClass);
const contactIn = ({ body }: TestAnswer) =>
  (body['Matches'] as { AccountingClass: Class | null; TerritoryID: string }[])[0];

describe('accounting classes', () => {
  let account: TestAccount;
  const create = (body: object) => account.call('accountingclasses/create', body);
  const update = (body: object) => account.call('accountingclasses/update', body);
  const get = (body: object = {}) => account.call('accountingclasses/get', body);
  beforeAll(async () => {
    account = await testAccount();
    await create({ Name: 'Denver North', TerritoryID: 'N', PostalCodes: ['80202-1234', '80203', '80202'] });
    await create({ Name: 'Denver South', TerritoryID: 'S', PostalCodes: ['80209'] });
  });

  test('are found by id, by words, by name, by territory and by postal code', async () => {
    const all = classesIn(await get());
    expect(all).toEqual([
      {
        Id: expect.any(Number) as number,
        AccountingClass: 'Denver North',
        TerritoryID: 'N',
        PostalCodes: ['80202', '80203'],
      },
      { Id: expect.any(Number) as number, AccountingClass: 'Denver South', TerritoryID: 'S', PostalCodes: ['80209'] },
    ]);
    expect(classesIn(await get({ AccountingClassId: all[1]?.Id }))).toEqual([all[1]]);
    expect(namesIn(await get({ NameSearch: 'nor DENV' }))).toEqual(['Denver North']);
    expect(namesIn(await get({ Name: 'denver south' }))).toEqual(['Denver South']);
    expect(namesIn(await get({ TerritoryID: 'N' }))).toEqual(['Denver North']);
    expect(namesIn(await get({ PostalCodes: ['80209', '99999'] }))).toEqual(['Denver South']);
    expect(namesIn(await get({ NameSearch: 'west' }))).toEqual([]);
  });

  test('a contact has the class and territory of its postal code in its organization', async () => {
    const contact = contactIn(
      await account.call('contacts/addupdate', { Name: 'Ann Lee', Email: 'ann@example.com', Zip: '80203' }),
    );
    expect([contact?.AccountingClass?.AccountingClass, contact?.TerritoryID]).toEqual(['Denver North', 'N']);
    const changed = contactIn(await account.call('contacts/addupdate', { Email: 'ann@example.com', Zip: '80209' }));
    expect([changed?.AccountingClass?.AccountingClass, changed?.TerritoryID]).toEqual(['Denver South', 'S']);
    await update({ Name: 'Denver South', TerritoryID: 'S2' });
    const again = contactIn(await account.call('contacts/addupdate', { Email: 'ann@example.com', Zip: '80209-0001' }));
    expect([again?.AccountingClass?.TerritoryID, again?.TerritoryID]).toEqual(['S2', 'S2']);
    expect(
      contactIn(await account.call('contacts/addupdate', { Email: 'ann@example.com', Zip: '10001' }))?.AccountingClass,
    ).toBe(null);
  });

  test('a code or name of another class of the organization is 409 and names that class', async () => {
    const [north] = classesIn(await get({ Name: 'Denver North' }));
    const taken = await create({ Name: 'Third', PostalCodes: ['80210', '80203'] });
    expect([taken.status, taken.body['Message']]).toEqual([
      409,
      `Postal code 80203 belongs to accounting class ${north?.Id} (Denver North).`,
    ]);
    expect((await create({ Name: 'DENVER NORTH' })).status).toBe(409);
    expect((await update({ AccountingClassId: north?.Id, Name: 'Denver South' })).status).toBe(409);
    expect((await update({ Name: 'Denver South', PostalCodes: ['80202'] })).status).toBe(409);
    expect(namesIn(await get())).toEqual(['Denver North', 'Denver South']);
  });

  test('an update replaces the list, keeps absent fields, and frees removed codes', async () => {
    const [north] = classesIn(await get({ Name: 'Denver North' }));
    expect(classesIn(await update({ AccountingClassId: north?.Id, Name: 'North', PostalCodes: ['80204'] }))).toEqual([
      { ...north, AccountingClass: 'North', PostalCodes: ['80204'] },
    ]);
    expect(classesIn(await update({ Name: 'North' }))).toEqual([
      { ...north, AccountingClass: 'North', PostalCodes: ['80204'] },
    ]);
    expect((await create({ Name: 'Denver North', PostalCodes: ['80202', '80203'] })).status).toBe(200);
    expect((await update({ Name: 'Nobody' })).status).toBe(404);
    expect((await update({ PostalCodes: [] })).status).toBe(400);
    expect((await create({ AccountingClassId: 1, Name: 'Denver West' })).body['Errors']).toEqual([
      expect.objectContaining({ Field: 'AccountingClassId' }),
    ]);
    expect((await create({ Name: 'Odd', PostalCodes: ['!'] })).body['Errors']).toMatchObject([
      { Field: 'PostalCodes' },
    ]);
  });

  test('each organization has its own classes', async () => {
    const OrganizationId = (await account.call('organizations/create', { Name: 'Boulder' })).body[
      'OrganizationId'
    ] as number;
    expect((await create({ Name: 'Elsewhere' })).status).toBe(400);
    expect((await create({ OrganizationId, Name: 'Denver South', PostalCodes: ['80209'] })).status).toBe(200);
    expect(namesIn(await get({ OrganizationId }))).toEqual(['Denver South']);
    const key = await account.newKey({ role: 'Admin', organizationId: OrganizationId });
    expect(namesIn(await account.call('accountingclasses/get', {}, { key }))).toEqual(['Denver South']);
    expect((await get({ OrganizationId: 999 })).status).toBe(404);
  });

  test("of 10 concurrent classes with overlapping lists, every code has one class, which the others' messages name", async () => {
    const OrganizationId = 1;
    const lists = Array.from({ length: 10 }, (_, index) =>
      Array.from({ length: 100 }, (__, code) => String(30000 + index * 50 + code)),
    );
    const answers = await Promise.all(
      lists.map((PostalCodes, index) => create({ OrganizationId, Name: `Race ${index}`, PostalCodes })),
    );
    const won = answers.flatMap((answer) => (answer.status === 200 ? classesIn(answer) : []));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(new Set(won.flatMap(({ PostalCodes }) => PostalCodes)).size).toBe(won.length * 100);
    expect(
      classesIn(await get({ OrganizationId, NameSearch: 'race' }))
        .map(({ Id }) => Id)
        .sort(),
    ).toEqual(won.map(({ Id }) => Id).sort());
    for (const { body, status } of answers)
      if (status === 409)
        expect(body['Message']).toMatch(new RegExp(`accounting class (${won.map(({ Id }) => Id).join('|')}) `));
  });

  test('of 20 concurrent creations with one name one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create({ OrganizationId: 1, Name: 'Only One' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });
});

test('ranges and beginnings of postal codes serve the codes that they stand for, and what is neither changes nothing', async () => {
  const account = await testAccount();
  const organization = async () =>
    (await account.call('organizations/details', { OrganizationId: 1 })).body as { PostalCodes?: string };
  const update = (PostalCodes: string) => account.call('organizations/update', { OrganizationId: 1, PostalCodes });
  const answer = await update('10001-10003, K1B, SW1A, 112');
  expect([answer.status, answer.body['Message']], answer.text).toEqual([
    200,
    '10001-10003 is 3 postal codes. K1B, SW1A, 112 stand for all codes that begin so.',
  ]);
  const before = await organization();
  expect(before.PostalCodes).toBe('10001,10002,10003,K1B,SW1A,112');
  for (const wrong of ['K1A-K1C', '10010-10001', 'everywhere']) expect((await update(wrong)).status).toBe(400);
  expect(await organization()).toEqual(before);

  await account.call('accountingclasses/create', { OrganizationId: 1, Name: 'Canada', PostalCodes: ['K1B'] });
  await account.call('organizations/create', { Name: 'Other', PostalCodes: 'K1B 2C3' });
  const ownerOf = async (Zip: string) => {
    const Email = `c${Zip.replaceAll(' ', '')}@example.com`;
    const { body } = await account.call('contacts/addupdate', { Name: 'Ana', Email, Zip, DistributeLead: true });
    const [contact] = (body['Matches'] ?? []) as { OrganizationId: number; AccountingClass: Class | null }[];
    return [contact?.OrganizationId, contact?.AccountingClass?.AccountingClass];
  };
  expect(await ownerOf('K1B 9Z9')).toEqual([1, 'Canada']);
  expect(await ownerOf('11201')).toEqual([1, undefined]);
  // The longer entry wins.
  expect(await ownerOf('K1B 2C3')).toEqual([2, undefined]);
});
