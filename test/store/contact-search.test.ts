import type { ContactRecord } from '../../lib/entities/contacts.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContactCriteria } from '../../lib/domain/contacts/search.ts';
import { guardRanges } from '../../lib/store/contacts/contact-index.ts';
import { searchContacts } from '../../lib/store/contacts/contact-search.ts';
import { contactChanges } from '../../lib/store/contacts/contacts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { putsOf, someContact } from '../support/contacts.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { listReader } from '../support/list-readers.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Contacts of organization 1; SEARCH_CONTACTS=4000 for the long proof. 2 has four of them more, 3 has none. */
const CONTACTS = Number(process.env['SEARCH_CONTACTS'] ?? 240);
const RUNS = Number(process.env['SEARCH_RUNS'] ?? 20);
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
/** The newest 30 are later. */
const LATE = START + (Math.floor(CONTACTS / 3) - 10) * MINUTE;
const account = 'searches';

const FIRST = ['Ana', 'Anton', 'Ben', 'Carla', 'David', 'Elena', 'Frank', 'Grace', 'Hugo', 'Iris', 'Jack'];
const LAST = ['Smith', 'Smithson', 'Jones', 'Brown', 'Adams', 'Baker', 'Clark'];
const STREETS = ['Oak', 'Elm', 'Maple', 'Main', 'Pine'];
const nth = (list: readonly string[], index: number): string => list[index % list.length] ?? '';

/** All share a word of the name, the city and a phone for strangers; tags, categories and organizations differ. */
function contactNumber(id: number): ContactRecord {
  return someContact(id, {
    OrganizationId: id <= CONTACTS ? 1 : 2,
    Created: START + Math.floor(id / 3) * MINUTE,
    Name: `${nth(FIRST, id)} ${nth(LAST, Math.floor(id / 11))} Crowd`,
    Company: id % 50 ? '' : `Very long company name of ${'many different words '.repeat(3)} Holding ${id}`,
    Email: `c${id}@example.com`,
    PhoneKey: id % 2 ? '+12175550100' : `+1217${2_000_000 + id}`,
    Address1: `${id % 90} ${nth(STREETS, id)} Street`,
    City: 'Springfield',
    Zip: String(10_000 + Math.floor(id / 10)),
    Category: ['Lead', 'Customer', ''][id % 3] ?? '',
    EmailProblem: id % 7 ? '' : `c${id}@example.com bounced`,
    ...(id % 5 ? {} : { CreditBalance: id % 2 ? 12.5 : -3 }),
    Tags: [
      { Id: 1, Name: 'All' },
      ...(id % 4 ? [] : [{ Id: 2, Name: 'Fourth' }]),
      ...(id % 97 ? [] : [{ Id: 3, Name: 'Rare' }]),
    ],
  });
}

/** Every 60th contact is changed and keeps its old entries. */
const OUTDATED = Math.floor((CONTACTS + 4) / 60);

let engine: TestTable;
const contacts = new Map<number, ContactRecord>();

async function write(records: readonly { before: ContactRecord | undefined; after: ContactRecord }[]): Promise<void> {
  const writes = records.map(({ before, after }) => {
    const entered = before ? [] : guardRanges({ account }, after);
    // Its own number in the range, as many writers would have found it.
    const next = new Map([[after.OrganizationId, after.Id]]);
    const taken = { organizationId: null, ids: [], next, isComplete: true };
    return { before, after, guards: entered.map((range) => ({ ...taken, range })) };
  });
  const changes = contactChanges({ account }, writes, { now: new Date(START) });
  // Removals stay undone: entries that are outdated.
  await openTable().putMany(putsOf(changes));
  for (const { after } of records) contacts.set(after.Id, after);
}

beforeAll(async () => {
  engine = await startTable({ stream: false });
  const all = Array.from({ length: CONTACTS + 4 }, (_, index) => contactNumber(index + 1));
  for (let start = 0; start < all.length; start += 20)
    await write(all.slice(start, start + 20).map((after) => ({ before: undefined, after })));
  // Some have another name, category and tags now.
  const changed = all.filter(({ Id }) => Id % 60 === 0);
  await write(
    changed.map((before) => ({
      before: { ...before, V: 1 },
      after: {
        ...before,
        V: 1,
        Name: 'Zoe Renamed',
        Category: 'Vendor',
        EmailProblem: '',
        CreditBalance: 0,
        Tags: [{ Id: 1, Name: 'All' }],
      },
    })),
  );
}, 600_000);
afterAll(() => engine.stop());

const words = (text: string): string[] => text.toLowerCase().split(' ').filter(Boolean);

/** Written from the rules, without the code that it judges. All texts here are ASCII. */
function isMatch(contact: ContactRecord, criteria: ContactCriteria): boolean {
  const begin = (query: readonly string[] = [], texts: readonly string[]) =>
    query.every((word) => texts.some((text) => text.startsWith(word)));
  const address = `${contact.Address1.replace('Street', 'st')} ${contact.City} ${contact.Zip}`;
  return (
    begin(criteria.names, words(`${contact.Name} ${contact.Company}`)) &&
    begin(criteria.addresses, words(address)) &&
    (!criteria.phone || contact.PhoneKey === criteria.phone) &&
    (!criteria.email || contact.Email === criteria.email) &&
    (!criteria.hasEmailProblem || contact.EmailProblem !== '') &&
    (!criteria.hasCredit || (contact.CreditBalance ?? 0) !== 0) &&
    (!criteria.category || contact.Category.toLowerCase() === criteria.category) &&
    (criteria.tags ?? []).every((tag) => contact.Tags.some(({ Name }) => Name.toLowerCase() === tag)) &&
    contact.Created >= (criteria.createdFrom ?? 0) &&
    contact.Created <= (criteria.createdThrough ?? Infinity) &&
    (!criteria.organizationId || contact.OrganizationId === criteria.organizationId)
  );
}

const expected = (criteria: ContactCriteria): number[] =>
  [...contacts.values()]
    .filter((contact) => isMatch(contact, criteria))
    .sort((a, b) => b.Created - a.Created || b.Id - a.Id)
    .map(({ Id }) => Id);

let readers = 0;

/** A page and what it cost. */
async function search(criteria: ContactCriteria, skip: number, limit: number, reader = `reader${++readers}`) {
  const table = openTable();
  const page = { skip, limit, reader: listReader(reader) };
  const { records, hasMore } = await searchContacts(accountStore(table, account), criteria, page);
  return { ids: records.map(({ Id }) => Id), usage: table.meter.usage, hasMore };
}

/**
 * A page of a small account: its entries, a unit or two for each contact, and a bookmark with its ids. Three criteria of
 * 1,000 contacts take up to 9 rounds.
 */
function expectBounded({ ids, usage }: Awaited<ReturnType<typeof search>>, what: unknown): void {
  const within = [usage.rounds <= 10, usage.readUnits <= 60 + CONTACTS / 2 + 2 * ids.length, usage.writeUnits <= 8];
  expect([what, usage, within]).toEqual([what, usage, [true, true, true]]);
}

describe('any search costs what it reads, in a few rounds', () => {
  test('whatever its criteria, page and organization, and finds what it should', async () => {
    const optional = <Value>(...values: Value[]) => fc.constantFrom(undefined, undefined, undefined, ...values);
    const criteria = fc.record({
      names: optional(['a'], ['ana'], ['crowd'], ['smith'], ['ana', 'smi'], ['jack', 'crowd'], ['holding'], ['zoe']),
      addresses: optional(['s'], ['main'], ['springfield'], ['1003'], ['12', 'main', 'st', 'springfield'], ['st']),
      tags: optional(['all'], ['fourth'], ['rare'], ['all', 'fourth'], ['rare', 'all'], ['none']),
      category: optional('lead', 'customer', 'vendor', 'nobody'),
      hasEmailProblem: optional(true as const),
      hasCredit: optional(true as const),
      phone: optional('+12175550100', '+12172000004'),
      email: optional('c7@example.com'),
      createdFrom: optional(START + 20 * MINUTE, LATE),
      createdThrough: optional(START + 30 * MINUTE, LATE + 5 * MINUTE),
      organizationId: fc.constantFrom(undefined, 1, 2, 3),
    });
    const page = fc.record({
      skip: fc.constantFrom(0, 0, 0, 7, 200, 10_000),
      limit: fc.constantFrom(1, 2, 10, 100, 100, 500),
    });
    await fc.assert(
      fc.asyncProperty(criteria, page, async (input, { skip, limit }) => {
        const all = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
        const met = expected(all);
        const found = await search(all, skip, limit);
        expectBounded(found, [all, skip, limit]);
        // A page that continues none skips entries, of which some are outdated.
        const begins = Array.from({ length: Math.min(skip, OUTDATED) + 1 }, (_, outdated) => skip - outdated);
        const pages = begins.map((begin) => met.slice(begin, begin + limit).join());
        expect([all, skip, limit, pages]).toEqual([all, skip, limit, expect.arrayContaining([found.ids.join()])]);
      }),
      { numRuns: RUNS },
    );
  });

  test.each<[string, ContactCriteria]>([
    ['a first letter', { names: ['a'] }],
    ['a tag', { tags: ['all'] }],
    ['a category', { category: 'lead' }],
    ['an e-mail problem', { hasEmailProblem: true }],
    ['credit', { hasCredit: true }],
    ['a time', { createdFrom: START }],
    ['a city', { addresses: ['springfield'] }],
    ['a shared phone', { phone: '+12175550100' }],
  ])('of an empty organization beside a full one: %s, at most 6 units', async (_, criteria) => {
    const { ids, usage } = await search({ ...criteria, organizationId: 3 }, 0, 1);
    expect([ids, usage.rounds <= 2, usage.readUnits <= ('phone' in criteria ? 30 : 6)]).toEqual([[], true, true]);
    if (!('phone' in criteria))
      expect((await search({ ...criteria, organizationId: 2 }, 0, 100)).ids).toEqual(
        expected({ ...criteria, organizationId: 2 }),
      );
  });

  test.each<[string, ContactCriteria, number]>([
    ['a tag', { tags: ['all'] }, 100],
    ['a tag of an organization', { tags: ['all'], organizationId: 1 }, 170],
    ['a category', { category: 'customer' }, 90],
    ['an e-mail problem', { hasEmailProblem: true }, 9],
    ['an e-mail problem and a category', { hasEmailProblem: true, category: 'lead' }, 5],
    ['an e-mail problem and a tag', { hasEmailProblem: true, tags: ['fourth'] }, 4],
    ['credit', { hasCredit: true }, 12],
    ['credit and a category', { hasCredit: true, category: 'lead' }, 5],
    ['credit and an e-mail problem', { hasCredit: true, hasEmailProblem: true }, 3],
    ['a time', { createdFrom: START + 10 * MINUTE }, 500],
    ['two tags', { tags: ['fourth', 'all'] }, 60],
    ['a name', { names: ['smith'] }, 40],
    ['a name and a category', { names: ['smith'], category: 'lead' }, 20],
    ['a name and a rare tag', { names: ['crowd'], tags: ['rare'] }, 4],
    ['a full name that many share', { names: ['ana', 'crowd'] }, 30],
    ['a street and the city', { addresses: ['main', 'springfield'] }, 50],
    ['a name in a span of time', { names: ['a'], createdFrom: LATE }, 2],
  ])('pages by %s are complete, disjoint and newest first', async (_, criteria, limit) => {
    const met = expected(criteria);
    const reader = `pages${++readers}`;
    const pages: number[] = [];
    for (let [skip, hasMore] = [0, true]; hasMore; skip += limit) {
      const page = await search(criteria, skip, limit, reader);
      expectBounded(page, [criteria, skip]);
      if (page.hasMore) expect(page.ids).toHaveLength(limit);
      pages.push(...page.ids);
      hasMore = page.hasMore;
    }
    expect(pages).toEqual(met);
  });

  test('a page is not disturbed by contacts that are added before it is requested', async () => {
    const criteria = { tags: ['all'], organizationId: 2 };
    const reader = `pages${++readers}`;
    const met = expected(criteria);
    const first = await search(criteria, 0, 1, reader);
    const added = { ...contactNumber(4), Id: 90_000, OrganizationId: 2, Created: START + 9_999 * MINUTE };
    await write([{ before: undefined, after: added }]);
    const others = await search(criteria, 1, 100, reader);
    expect([...first.ids, ...others.ids]).toEqual(met);
    expect((await search(criteria, 0, 1, reader)).ids).toEqual([90_000]);
  });
});
