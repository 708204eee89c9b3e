import type { PartDetailed } from '../../../lib/entities/parts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PriceBook } from '../../../lib/domain/pricebook/record.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { loadPriceBook } from '../../../lib/workflows/pricebook/import-price-book.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

let account: TestAccount;
let second: string;
let book: PriceBook;
const id = (name: string) => findId(book, 'parts', name);
const dimension = (name: string) => findId(book, 'dimensions', name);

beforeAll(async () => {
  account = await testAccount();
  await testTable().commit(
    newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Shelbyville' }),
  );
  second = await account.newKey({ organizationId: 2 });
  await writeBook(account.accountId, {
    parts: [
      {
        Name: 'Screen',
        UnitPrice: 4,
        Category: 'Cleaning',
        PartSubcategory1: { Name: 'Outside' },
        QtyPricing: [{ AtLeast: 10, Price: 3.5, Formula: 'unit - 0.5' }],
      },
      {
        Name: 'Kit',
        RequiredForService: true,
        ExcludeFromMinimum: true,
        AssemblyItems: [{ PartName: 'Screen', Quantity: 2.5 }],
        SolutionPrices: [{ PartSolution: 'Screen', UnitPrice: 3 }],
      },
    ],
    services: [{ Name: 'Windows', AvailableParts: [{ Name: 'Screen' }, { Name: 'Wax' }] }],
    dimensions: [
      { Name: 'Colour', Options: ['White', 'Black'] },
      { Name: 'Width', UnitOfMeasure: 'in', Minimum: 10, Maximum: 60, Step: 0.25, Parts: ['Screen'] },
      { Name: 'Volts', Parts: ['Kit'] },
    ],
  });
  book = await loadPriceBook(accountStore(testTable(), account.accountId));
});

describe('part/details', () => {
  test('answers the detailed variant', async () => {
    const { body } = await account.call('part/details', { Id: id('Screen') });
    const part = body['Part'] as PartDetailed;
    expect(part).toMatchObject({
      Id: id('Screen'),
      UnitPrice: 4,
      IsActive: true,
      PartCategory: { Id: part.PartCategoryId, Name: 'Cleaning' },
      PartSubcategory1: { Id: part.PartSubcategory1Id, Name: 'Outside' },
      PartSubcategory2Id: null,
      PartSubcategory2: null,
      LimitedServiceIds: [],
      QtyPricing: [
        {
          Id: expect.any(Number),
          PartId: id('Screen'),
          AtLeast: 10,
          LessThan: null,
          Price: 3.5,
          Formula: 'unit - 0.5',
          Duration: null,
          CapacityDemand: null,
          ExcludeQuantity: false,
          OverageMode: false,
        },
      ],
    });
    const kit = (await account.call('part/details', { Id: id('Kit') })).body['Part'];
    expect(kit).toMatchObject({
      IsAssembly: true,
      IsRequiredForService: true,
      IsExcludedFromMinimum: true,
      AssemblyItems: [{ AttachedToPartId: id('Kit'), PartId: id('Screen'), Quantity: 2.5 }],
      SolutionPrices: [{ PartId: id('Kit'), PartSolutionId: id('Screen'), UnitPrice: 3 }],
    });
    const wax = (await account.call('part/details', { Id: id('Wax') })).body['Part'];
    expect(wax).toMatchObject({ LimitedServiceIds: [findId(book, 'services', 'Windows')] });
  });

  test("answers the account's parts to every organization", async () => {
    expect((await account.call('part/details', { Id: id('Kit') }, { key: second })).status).toBe(200);
  });

  test('is 404 for an unknown one, also for one of another account', async () => {
    const other = await testAccount();
    for (const { status, body } of [
      await account.call('part/details', { Id: 99_999 }),
      await other.call('part/details', { Id: id('Kit') }),
    ]) {
      expect([status, body['Message'], body['Part']]).toEqual([
        404,
        expect.stringMatching(/^There is no part \d+\.$/),
        undefined,
      ]);
    }
    expect((await account.call('part/details', { Id: 0 })).status).toBe(400);
  });
});

describe('part/getdimension', () => {
  test('answers the dimension', async () => {
    const { body } = await account.call('part/getdimension', { DimensionId: dimension('Width') });
    expect(body).toEqual({
      ResultCode: 0,
      Message: '',
      Dimension: {
        Id: dimension('Width'),
        Name: 'Width',
        UnitOfMeasure: 'in',
        Minimum: 10,
        Maximum: 60,
        Step: 0.25,
        Options: [],
      },
    });
  });

  test('is 404 for an unknown one, also for one of another account', async () => {
    const other = await testAccount();
    expect((await account.call('part/getdimension', { DimensionId: 99_999 })).status).toBe(404);
    expect((await other.call('part/getdimension', { DimensionId: dimension('Width') })).status).toBe(404);
  });
});

describe('part/getpartdimensions', () => {
  const dimensionsOf = async (body: object) => {
    const answer = (await account.call('part/getpartdimensions', body)).body;
    return { ids: answer['Dimensions'], names: (answer['Matches'] as { Name: string }[]).map(({ Name }) => Name) };
  };

  test('lists the dimensions of the part and those of every part', async () => {
    const ids = `${dimension('Colour')},${dimension('Width')}`;
    expect(await dimensionsOf({ PartId: id('Screen') })).toEqual({ ids, names: ['Colour', 'Width'] });
    expect(await dimensionsOf({ PartId: id('Wax') })).toEqual({ ids: String(dimension('Colour')), names: ['Colour'] });
  });

  test('lists all of the account without PartId', async () => {
    for (const body of [{}, { PartId: 0 }, { PartId: null, Dimensions: '' }])
      expect((await dimensionsOf(body)).names).toEqual(['Colour', 'Width', 'Volts']);
    expect((await (await testAccount()).call('part/getpartdimensions')).body).toEqual({
      ResultCode: 0,
      Message: '',
      Dimensions: '',
      Matches: [],
    });
  });

  test('is 404 for an unknown part', async () => {
    expect((await account.call('part/getpartdimensions', { PartId: 99_999 })).status).toBe(404);
  });
});
