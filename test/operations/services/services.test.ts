import type { Service, ServiceDetailed } from '../../../lib/entities/services.ts';
import { callerContext } from '../../../lib/workflows/context.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { all } from '../../../functions/services/all.ts';
import type { Context, Need } from '../../../lib/api/context.ts';
import type { PriceBook } from '../../../lib/domain/pricebook/record.ts';
import type { BookInput } from '../../../lib/domain/pricebook/record.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { findProposalTemplate, listProposalTemplates } from '../../../lib/store/pricebook/price-book.ts';
import { findServiceByName } from '../../../lib/store/pricebook/services.ts';
import { planPriceBook, loadPriceBook } from '../../../lib/workflows/pricebook/import-price-book.ts';
import { findId, largeBook, writeBook } from '../../support/price-book.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';
import { storeOf, accountStore } from '../../../lib/store/store.ts';

const input: BookInput = {
  revenueCategories: [{ Name: 'Residential', Percentage: 6 }],
  partTemplates: [{ OptionName: 'Screens', Selected: true }],
  parts: [
    { Name: 'Screen', UnitPrice: 4, Category: 'Cleaning', PartTemplate: { OptionName: 'Screens' } },
    { Name: 'Track', UnitPrice: 2.5, Category: 'Tracks', QtyPricing: [{ AtLeast: 10, Price: 2, Duration: 3 }] },
    {
      Name: 'Kit',
      AssemblyItems: [
        { PartName: 'Screen', Quantity: 2 },
        { PartName: 'Track', Quantity: 1 },
      ],
      LimitedServices: ['Windows'],
    },
    { Name: 'Chamois', IsActive: false },
  ],
  services: [
    {
      Name: 'Windows',
      Category: 'Cleaning',
      UnitPrice: 9.5,
      Duration: 45,
      UnitDuration: 5,
      Subscription: true,
      SubscriptionInterval: 30,
      SeasonStart: '2026-03-01',
      BrandingRevenueCategory: { Name: 'Residential' },
      PricingBands: [
        { AtLeast: 20, Price: 8 },
        { AtLeast: 5, LessThan: 20, Price: 9, IsOverageBand: true },
      ],
      CustomProperties: { Ladder: true },
    },
    { Name: 'Gutters', BasePrice: 150, LimitedParts: ['Track'] },
    { Name: 'Sashes', Active: false },
  ],
};

let account: TestAccount;
let book: PriceBook;
/** Bound to the second organization. */
let second: string;
const id = (name: string) => findId(book, 'services', name);

beforeAll(async () => {
  account = await testAccount();
  await testTable().commit(
    newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Shelbyville' }),
  );
  second = await account.newKey({ organizationId: 2 });
  await writeBook(account.accountId, input);
  await writeBook(account.accountId, { services: [{ Name: 'Doors', BasePrice: 20 }] }, 1);
  await writeBook(account.accountId, { services: [{ Name: 'doors', BasePrice: 30 }] }, 2);
  book = await loadPriceBook(accountStore(testTable(), account.accountId));
});

const matchesIn = ({ body, text }: TestAnswer): Service[] => {
  expect(body['ResultCode'], text).toBe(0);
  return body['Matches'] as Service[];
};
const detailsIn = ({ body, text }: TestAnswer): ServiceDetailed => {
  expect(body['ResultCode'], text).toBe(0);
  return (body['Matches'] as ServiceDetailed[])[0] as ServiceDetailed;
};
const names = (records: readonly { Name: string }[]) => records.map(({ Name }) => Name);

describe('services/all', () => {
  test('lists the active services by id, complete, without parts', async () => {
    const matches = matchesIn(await account.call('services/all'));
    expect(names(matches)).toEqual(['Windows', 'Gutters', 'Doors', 'doors']);
    expect(matches[0]).toMatchObject({
      Id: id('Windows'),
      Category: 'Cleaning',
      UnitPrice: 9.5,
      Duration: 45,
      UnitDuration: 5,
      Subscription: true,
      SubscriptionInterval: 30,
      SeasonStart: '2026-03-01T00:00:00Z',
      SeasonExpiration: null,
      AvailableParts: [],
      PartCategories: [],
      CustomProperties: { Ladder: true },
    });
    expect(
      matches[0]?.PricingBands.map(({ AtLeast, LessThan, IsOverageBand }) => [AtLeast, LessThan, IsOverageBand]),
    ).toEqual([
      [5, 20, true],
      [20, null, false],
    ]);
  });

  test('lists parts with IncludeParts: those that neither side excludes', async () => {
    const [windows, gutters] = matchesIn(await account.call('services/all', { IncludeParts: true }));
    expect([names(windows?.AvailableParts ?? []), windows?.PartCategories]).toEqual([
      ['Screen', 'Track', 'Kit'],
      ['Cleaning', 'Tracks'],
    ]);
    expect([names(gutters?.AvailableParts ?? []), gutters?.PartCategories]).toEqual([['Track'], ['Tracks']]);
    const [screen, , kit] = windows?.AvailableParts ?? [];
    expect(screen?.PartTemplate).toEqual({ Id: expect.any(Number), OptionName: 'Screens', Selected: true });
    expect(kit?.AssemblyItems).toEqual([
      { PartId: screen?.Id, PartName: 'Screen', Quantity: 2 },
      { PartId: expect.any(Number), PartName: 'Track', Quantity: 1 },
    ]);
  });

  test('lists inactive services and parts with IncludeInactive', async () => {
    const matches = matchesIn(await account.call('services/all', { IncludeParts: true, IncludeInactive: true }));
    expect(names(matches)).toEqual(['Windows', 'Gutters', 'Sashes', 'Doors', 'doors']);
    expect(names(matches[0]?.AvailableParts ?? [])).toContain('Chamois');
  });

  test('lists one by Id, and none that is unknown or inactive', async () => {
    expect(names(matchesIn(await account.call('services/all', { Id: id('Gutters') })))).toEqual(['Gutters']);
    for (const Id of [id('Sashes'), 99_999]) expect(matchesIn(await account.call('services/all', { Id }))).toEqual([]);
  });

  test('lists for a key of one organization its own services and those of all', async () => {
    const matches = matchesIn(await account.call('services/all', {}, { key: second }));
    expect(matches.map(({ Name, BasePrice }) => [Name, BasePrice])).toEqual([
      ['Windows', 0],
      ['Gutters', 150],
      ['doors', 30],
    ]);
    expect(matchesIn(await account.call('services/all', { Id: id('Doors') }, { key: second }))).toEqual([]);
  });
});

describe('services/details', () => {
  test('answers the detailed variant, also of an inactive service', async () => {
    const windows = detailsIn(await account.call('services/details', { Id: id('Windows') }));
    expect(windows).toMatchObject({
      Name: 'Windows',
      Active: true,
      BaseDuration: 45,
      UnitDuration: 5,
      EstDuration: 50,
      IsSubscription: true,
      IntervalDays: 30,
      UnitPriceFormatted: '$9.50',
      AllAvailableParts: [],
      LimitedPartIds: [],
      SchedulingMode: 0,
    });
    expect(windows.BrandingRevenueCategory).toMatchObject({
      Name: 'Residential',
      Percentage: 6,
      MaximumPeriod: 'None',
    });
    expect(windows.PricingBands.map(({ Id, AtLeast }) => [typeof Id, AtLeast])).toEqual([
      ['number', 5],
      ['number', 20],
    ]);
    expect(detailsIn(await account.call('services/details', { Id: id('Sashes') })).Active).toBe(false);
  });

  test('answers its parts with IncludeParts', async () => {
    const windows = detailsIn(await account.call('services/details', { Id: id('Windows'), IncludeParts: true }));
    expect(names(windows.AllAvailableParts)).toEqual(['Screen', 'Track', 'Kit']);
  });

  test('is 404 for an unknown service and for one of another organization or account', async () => {
    const other = await testAccount();
    const answers = [
      await account.call('services/details', { Id: 99_999 }),
      await account.call('services/details', { Id: id('Doors') }, { key: second }),
      await other.call('services/details', { Id: id('Windows') }),
    ];
    for (const { status, body } of answers)
      expect([status, body['ResultCode'], (body['Errors'] as { Field: string }[])[0]?.Field]).toEqual([404, 404, 'Id']);
    expect((await account.call('services/details')).status).toBe(400);
  });
});

test("a name, ignoring case, finds the organization's own service before one of all", async () => {
  const found = async (name: string, organizationId: number | null) =>
    (await findServiceByName(storeOf(testTable(), { account: account.accountId, organizationId }), name))?.BasePrice;
  expect([
    await found('DOORS', 1),
    await found(' doors', 2),
    await found('gutters', 2),
    await found('Doors', 3),
  ]).toEqual([20, 30, 150, undefined]);
});

test('proposal templates are visible like services', async () => {
  const { accountId } = await testAccount();
  const templates = (Service: string) => ({
    services: [{ Name: Service }],
    proposalTemplates: [{ Name: 'Spring clean', Service, ProposalTemplateLines: [{ Name: 'Advice' }] }],
  });
  await writeBook(accountId, templates('Windows'));
  await writeBook(accountId, templates('Doors'), 2);
  const seen = async (organizationId: number | null) =>
    (await listProposalTemplates(storeOf(testTable(), { account: accountId, organizationId }))).map(
      ({ OrganizationId }) => OrganizationId,
    );
  expect([await seen(null), await seen(1), await seen(2)]).toEqual([[0, 2], [0], [0, 2]]);
  const [, own] = await listProposalTemplates(storeOf(testTable(), { account: accountId, organizationId: 2 }));
  expect(own).toMatchObject({
    Name: 'Spring clean',
    IsActive: true,
    ProposalTemplateLines: [{ Name: 'Advice', Order: 1, ProposalTemplateId: own?.Id }],
  });
  expect(
    await findProposalTemplate(storeOf(testTable(), { account: accountId, organizationId: 1 }), own?.Id ?? 0),
  ).toBeUndefined();
});

describe('writing a price book', () => {
  test('writes nothing for the same entries again', async () => {
    expect((await writeBook(account.accountId, input)).changes).toEqual([]);
  });

  test('many times at once leaves one service of each name, and no cycle of assemblies', async () => {
    const { accountId } = await testAccount();
    await writeBook(accountId, { parts: [{ Name: 'A' }, { Name: 'B' }] });
    await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        writeBook(accountId, { services: [{ Name: turn % 2 ? 'Windows' : 'WINDOWS', BasePrice: turn }] }),
      ),
    );
    const circle = [
      { parts: [{ Name: 'A', AssemblyItems: [{ PartName: 'B', Quantity: 1 }] }] },
      { parts: [{ Name: 'B', AssemblyItems: [{ PartName: 'A', Quantity: 1 }] }] },
    ];
    const ends = await Promise.allSettled(circle.map((entries) => writeBook(accountId, entries)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { services } = await loadPriceBook(accountStore(testTable(), accountId));
    expect([...services.values()].map(({ Name }) => Name.toLowerCase())).toEqual(['windows']);
  });

  test('rejects a plan that somebody else overtook', async () => {
    const { accountId } = await testAccount();
    const scope = { account: accountId, organizationId: null, accountWide: true, now: new Date() };
    const planned = await planPriceBook(accountStore(testTable(), scope.account), scope, {
      services: [{ Name: 'Windows' }],
    });
    await writeBook(accountId, { parts: [{ Name: 'Screen' }] });
    if (planned.kind === 'invalid') throw new Error('invalid');
    await expect(testTable().commit(planned.changes)).rejects.toThrow(
      expect.objectContaining({ name: 'StoreConflict' }),
    );
  });

  test('makes an event for each changed service and part, and none for others', async () => {
    const own = await testAccount();
    await writeBook(own.accountId, { parts: [{ Name: 'Screen', UnitPrice: 4 }], services: [{ Name: 'Windows' }] });
    await writeBook(own.accountId, { parts: [{ Name: 'Screen', UnitPrice: 5 }], services: [{ Name: 'Windows' }] });
    await writeBook(own.accountId, {
      services: [{ Name: 'Windows', Category: 'Cleaning', PricingBands: [{ Price: 3 }] }],
    });
    await writeBook(own.accountId, { services: [{ Name: 'Doors' }] }, 1);
    await drainEvents();
    const { body } = await own.call('datasubscriber/fetch');
    const events = (
      body['Events'] as {
        Payload: { Kind: string; Changed: string[]; OrganizationId: number | null; Data: Record<string, unknown> };
      }[]
    ).map(({ Payload }) => Payload);
    const received = events
      .filter(({ Kind }) => /^(service|part)\./.test(Kind))
      .map(({ Kind, Changed, OrganizationId }) => [Kind, Changed, OrganizationId]);
    expect(received.filter(([kind]) => String(kind).startsWith('part'))).toEqual([
      ['part.created', [], null],
      ['part.updated', ['UnitPrice'], null],
    ]);
    expect(received.filter(([kind]) => String(kind).startsWith('service'))).toEqual([
      ['service.created', [], null],
      ['service.updated', ['Category', 'PricingBands'], null],
      ['service.created', [], 1],
    ]);
    expect(events.find(({ Kind }) => Kind === 'service.updated')?.Data).toMatchObject({
      Name: 'Windows',
      Category: 'Cleaning',
      BaseDuration: 0,
    });
  });
});

describe('a book of 200 services and 2,000 parts', () => {
  let large: TestAccount;
  beforeAll(async () => {
    large = await testAccount();
    await writeBook(large.accountId, largeBook());
  });

  test('takes at most 4 rounds to read with its parts', async () => {
    const table = testTable();
    const caller = { account: large.accountId, organizationId: 1 };
    const context = callerContext(table, caller, new Date()) as unknown as Context<Need>;
    const { Matches } = (await all.run({ IncludeParts: true }, context)) as { Matches: Service[] };
    expect([Matches.length, Matches[199]?.AvailableParts.length]).toEqual([200, 20]);
    expect(table.meter.usage.rounds).toBeLessThanOrEqual(4);
    expect(table.meter.usage.readUnits).toBeLessThan(1_000);
  });

  test('arrives complete over HTTP', async () => {
    const answer = await large.call('services/all', { IncludeParts: true });
    expect([answer.status, matchesIn(answer).flatMap(({ AvailableParts }) => AvailableParts).length]).toEqual([
      200, 4_000,
    ]);
  });

  test('in which every service has every part is 413, and the message says what to do', async () => {
    const services = Array.from({ length: 200 }, (_, service) => ({ Name: `Service ${service}`, LimitedPartIds: [] }));
    const { book } = await writeBook(large.accountId, { services });
    const { status, body } = await large.call('services/all', { IncludeParts: true });
    expect([status, body['ResultCode']]).toEqual([413, 413]);
    expect(body['Message']).toMatch(
      /^The response would have \d{3}(\.\d)? MB; the limit is 6\.2 MB\. Give the Id of one service, or leave out IncludeParts\.$/,
    );
    const one = await large.call('services/all', { IncludeParts: true, Id: findId(book, 'services', 'Service 7') });
    expect(matchesIn(one)[0]?.AvailableParts).toHaveLength(2_000);
    expect(matchesIn(await large.call('services/all'))).toHaveLength(200);
  });
});
