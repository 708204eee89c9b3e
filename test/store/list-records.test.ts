import { type TaskRecord, taskEntity } from '../../lib/entities/tasks.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Range, openTable } from '../../lib/store/dynamodb/table.ts';
import { type Where, matchesFacts } from '../../lib/store/dynamodb/filters.ts';
import { type Criteria, type Query, idInOrderKey, indexRanges, listRecords } from '../../lib/store/indexes.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { MAX_LIST_ENTRIES } from '../../lib/store/dynamodb/lists/range-entries.ts';
import type { Usage } from '../../lib/store/dynamodb/client.ts';
import { layout } from '../../lib/store/keys.ts';
import { taskChanges } from '../../lib/store/tasks.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { listReader } from '../support/list-readers.ts';
import { storeOf } from '../../lib/store/store.ts';

const TASKS = 2_500;
const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const now = new Date(START + 5_000 * HOUR);
const account = 'acct';

/**
 * Every tenth has no due date; due dates come in fives and not in the order of ids; two organizations, 500 contacts,
 * every third is done.
 */
function taskNumber(id: number): TaskRecord {
  const blank = taskEntity.blank({
    Id: id,
    OrganizationId: 1 + (id % 2),
    ContactId: id % 7 ? 1 + (id % 500) : null,
    Created: START,
  });
  const Due = id % 10 ? START + ((id * 37) % 1_000) * HOUR : null;
  return {
    ...blank,
    Description: `Task ${id}`,
    TaskType: id % 6,
    Category: id % 2 ? 'Billing' : 'Warranty',
    Due,
    CompletedAt: id % 3 ? null : START,
  };
}

const tasks = Array.from({ length: TASKS }, (_, index) => taskNumber(index + 1));
const updatedAt = ({ Id }: TaskRecord) => START + Id * 60_000;

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
  const changes = tasks.map(
    (after) => taskChanges({ account }, { before: undefined, after, now: new Date(updatedAt(after)) }).change,
  );
  await engine.load(async (loader) => loader.put(changes.flatMap((change) => ('put' in change ? [change.put] : []))));
});
afterAll(() => engine.stop());

/** By due date, those without last, then by id. */
const inOrder = (some: readonly TaskRecord[]): number[] =>
  [...some].sort((a, b) => (a.Due ?? Infinity) - (b.Due ?? Infinity) || a.Id - b.Id).map(({ Id }) => Id);

interface TaskList extends Query, Pick<Criteria, 'organization'> {
  readonly where: Where;
}

const taskList = (input: Partial<TaskList> = {}) => ({
  kind: 'Task',
  account,
  organization: null,
  where: {},
  skip: 0,
  take: 100,
  key: layout.task.key,
  ...input,
});

async function ask(input: Partial<TaskList> = {}, at = now): Promise<{ count: number; ids: number[]; usage: Usage }> {
  const table = openTable();
  const { organization: organizationId, ...query } = taskList(input);
  const { count, records } = await listRecords(
    storeOf(table, { account: account, organizationId, reader: listReader('one') }),
    taskEntity,
    query,
    at,
  );
  return { count, ids: records.map(({ Id }) => Id), usage: table.meter.usage };
}

/** All pages of a question, one after another. */
async function pagesOf(input: Partial<TaskList>, take: number, through: number) {
  const pages = [];
  for (let skip = 0; skip < through; skip += take) pages.push(await ask({ ...input, skip, take }));
  return pages;
}

describe('a list of 2,500 records', () => {
  test('has every record once, in order, and every page has the exact number', async () => {
    const pages = await pagesOf({}, 100, TASKS);
    expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([TASKS]));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(inOrder(tasks));
  });

  test.each([1, 7, 500])('in pages of %i too', async (take) => {
    const pages = await pagesOf({}, take, Math.min(TASKS, take * 25));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(inOrder(tasks).slice(0, take * 25));
  });

  test('costs no more on page 16 than on page 1: three rounds, half a unit a record and four for the list', async () => {
    const pages = await pagesOf({ where: { done: false } }, 100, 1_600);
    const usages = pages.map(({ usage }) => usage);
    expect(usages.map(({ rounds }) => rounds)).toEqual(pages.map(() => 3));
    const [first, ...others] = usages;
    for (const { readUnits, writeUnits } of others)
      expect([readUnits, writeUnits]).toEqual([expect.toSatisfy((units: number) => units <= 53), 1]);
    expect(first?.readUnits).toBeGreaterThan(52);
    expect(first?.writeUnits).toBeLessThanOrEqual(2 * 4 + 1);
  });

  test('a page requested out of turn has the same records and costs one more round', async () => {
    const met = inOrder(tasks.filter(({ OrganizationId }) => OrganizationId === 2));
    const cold = await ask({ organization: 2, skip: 900, take: 50 });
    const warm = await ask({ organization: 2, skip: 950, take: 50 });
    expect([...cold.ids, ...warm.ids]).toEqual(met.slice(900, 1_000));
    expect([cold.count, cold.usage.rounds, warm.count, warm.usage.rounds]).toEqual([met.length, 4, met.length, 3]);
  });

  test('a page behind the end is empty, and has the number', async () => {
    await ask({ where: { type: 5 } });
    const count = tasks.filter(({ TaskType }) => TaskType === 5).length;
    const behind = await ask({ where: { type: 5 }, skip: count });
    expect([behind.count, behind.ids, behind.usage.rounds, behind.usage.readUnits]).toEqual([count, [], 1, 1]);
    expect(await ask({ where: { type: 5 }, skip: 2_000_000_000 })).toMatchObject({ count, ids: [] });
  });

  test('continues behind the entry where a page of an index ended', async () => {
    const table = openTable();
    const [[range] = []] = indexRanges(taskList({ organization: 1 }));
    const ids: number[] = [];
    let after: string | undefined;
    do {
      const page = await table.query({ ...(range as Range), limit: 777, after });
      ids.push(...page.items.map((item) => idInOrderKey(item['GSI2SK'] as string)));
      after = page.next;
    } while (after !== undefined);
    expect(ids).toEqual(inOrder(tasks.filter(({ OrganizationId }) => OrganizationId === 1)));
  });
});

describe('writing a record with four indexes', () => {
  test('costs 5 units, changing or completing it 6, moving it to another date 9', async () => {
    let before: TaskRecord | undefined;
    const costs: number[] = [];
    const states: Partial<TaskRecord>[] = [
      { CompletedAt: null },
      { Description: 'Other words' },
      { CompletedAt: START },
      { Due: START + 9 * HOUR },
    ];
    for (const [index, input] of states.entries()) {
      const table = openTable();
      const { record, change } = taskChanges(
        { account: 'other' },
        { before, after: { ...(before ?? taskNumber(1)), ...input }, now: new Date(START + index) },
      );
      await table.commit([change]);
      costs.push(table.meter.usage.writeUnits);
      before = record;
    }
    expect(costs).toEqual([5, 6, 6, 9]);
  });
});

describe('a query', () => {
  const due = { from: START + 100 * HOUR, through: START + 123 * HOUR };
  const inDue = ({ Due }: TaskRecord) => Due !== null && Due >= due.from && Due <= due.through;
  const updated = { from: START + 1_000 * 60_000, through: START + 1_500 * 60_000 };
  const inUpdated = (task: TaskRecord) => updatedAt(task) >= updated.from && updatedAt(task) <= updated.through;

  test.each<[string, Partial<TaskList>, (task: TaskRecord) => boolean, string, number]>([
    ['by date', { date: due }, inDue, 'GSI1', 8],
    [
      'by the beginning alone, which leaves out what has no date',
      { date: { from: START } },
      ({ Due }) => Due !== null,
      'GSI1',
      8,
    ],
    ['by the end alone', { date: { through: START } }, ({ Due }) => Due !== null && Due <= START, 'GSI1', 8],
    [
      'by date in an organization',
      { date: due, organization: 2 },
      (task) => inDue(task) && task.OrganizationId === 2,
      'GSI2',
      1,
    ],
    ['by organization', { organization: 1 }, ({ OrganizationId }) => OrganizationId === 1, 'GSI2', 1],
    ['by the time of change', { updated }, inUpdated, 'GSI3', 16],
    [
      'by the time of change in an organization',
      { updated, organization: 2 },
      (task) => inUpdated(task) && task.OrganizationId === 2,
      'GSI3',
      9,
    ],
    [
      'by both times, the changes being the shorter',
      { updated, date: { from: START } },
      (task) => inUpdated(task) && task.Due !== null,
      'GSI3',
      16,
    ],
    ['by both times, the dates being the shorter', { updated: { from: START }, date: due }, inDue, 'GSI3', 16],
    ['by contact', { contact: 18 }, ({ ContactId }) => ContactId === 18, 'GSI4', 1],
    ['by contact and organization', { contact: 18, organization: 1 }, () => false, 'GSI4', 1],
    [
      'by contact and both times',
      { contact: 18, date: { from: START }, updated },
      (task) => task.ContactId === 18 && task.Due !== null && inUpdated(task),
      'GSI4',
      1,
    ],
    [
      'by facts',
      { where: { type: 3, category: 'billing', done: true } },
      ({ TaskType, Category, CompletedAt }) => TaskType === 3 && Category === 'Billing' && CompletedAt !== null,
      'GSI1',
      8,
    ],
  ])(
    '%s is answered in at most four rounds with all that meet it and the exact number',
    async (_, input, isMet, index, requests) => {
      const met = inOrder(tasks.filter(isMet));
      const { count, ids, usage } = await ask(input);
      expect([count, ids]).toEqual([met.length, met.slice(0, 100)]);
      expect(usage.rounds).toBeLessThanOrEqual(index === 'GSI3' ? 4 : 3);
      expect(usage.readUnits).toBeLessThanOrEqual(120);
      const { contact } = input;
      const criteria = { ...taskList(input), ...(contact === undefined ? {} : { contacts: [contact] }) };
      expect(indexRanges(criteria)[0]?.map((range) => range.index)).toEqual(
        Array.from({ length: requests }, () => index),
      );
    },
  );

  test('by id returns the record if it meets the other criteria, in one round', async () => {
    const task = taskNumber(2_321);
    const met: Partial<TaskList>[] = [
      {},
      { organization: task.OrganizationId },
      { where: { type: task.TaskType, category: 'billing', done: false } },
      { date: { from: task.Due as number, through: task.Due as number } },
      { updated: { from: updatedAt(task), through: updatedAt(task) } },
    ];
    for (const input of met)
      expect(await ask({ ...input, id: 2_321 })).toMatchObject({
        count: 1,
        ids: [2_321],
        usage: { rounds: 1, readUnits: 1 },
      });
    // Whether the contact was merged is read, too.
    expect(await ask({ contact: task.ContactId as number, id: 2_321 })).toMatchObject({ count: 1, ids: [2_321] });
    const unmet: Partial<TaskList>[] = [
      { organization: 1 },
      { contact: 1 },
      { where: { done: true } },
      { date: { through: (task.Due as number) - 1 } },
      { updated: { from: updatedAt(task) + 1 } },
      { skip: 1 },
    ];
    expect(await Promise.all(unmet.map(async (input) => (await ask({ ...input, id: 2_321 })).ids))).toEqual(
      unmet.map(() => []),
    );
    expect(await ask({ id: TASKS + 1 })).toMatchObject({ count: 0, ids: [] });
  });

  test('is filtered by the table as by matchesFacts', async () => {
    const fact = fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 0, max: 6 }),
      fc.record({
        from: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
        through: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
      }),
    );
    const where = fc.record({
      type: fact,
      done: fc.constantFrom(undefined, true, false),
      category: fc.constantFrom(undefined, 'billing', 'warranty', ''),
      missing: fc.constantFrom(undefined, undefined, undefined, 1),
    });
    await fc.assert(
      fc.asyncProperty(where, async (conditions: Where) => {
        const some = tasks.filter(({ ContactId }) => ContactId === 77);
        const met = some.filter(({ TaskType, Category, CompletedAt }) =>
          matchesFacts({ type: TaskType, category: Category.toLowerCase(), done: CompletedAt !== null }, conditions),
        );
        expect((await ask({ contact: 77, where: conditions })).ids).toEqual(inOrder(met));
      }),
      { numRuns: 60 },
    );
  });
});

describe('queries of an account with much work that is done', () => {
  const DONE = 3_040;
  const OPEN = 120;
  const busy = 'busy';
  /** Organization 1 has 3,100 tasks, 60 of them open; organization 9, in the same range of open work, 60 open ones. */
  const busyTask = (id: number): TaskRecord => ({
    ...taskNumber(id),
    OrganizationId: id > DONE + OPEN / 2 ? 9 : 1,
    ContactId: 1 + (id % 500),
    Due: START + Math.floor(id / 100) * 24 * HOUR,
    CompletedAt: id > DONE ? null : START,
  });
  const all = Array.from({ length: DONE + OPEN }, (_, index) => busyTask(index + 1));

  beforeAll(async () => {
    const changes = all.map(
      (after) => taskChanges({ account: busy }, { before: undefined, after, now: new Date(updatedAt(after)) }).change,
    );
    await engine.load(async (loader) => loader.put(changes.flatMap((change) => ('put' in change ? [change.put] : []))));
  });

  /** A page and what it cost. */
  async function query(input: Partial<TaskList>) {
    const table = openTable();
    const { organization: organizationId, ...rest } = taskList(input);
    const scope = { account: busy, organizationId, reader: listReader(JSON.stringify(input)) };
    const { count, records } = await listRecords(storeOf(table, scope), taskEntity, rest, now);
    return { found: { count, page: records.length }, usage: table.meter.usage };
  }
  const day = { from: START, through: START + 24 * HOUR };

  test.each<[string, Partial<TaskList>, object]>([
    ['open work', { open: true, where: { done: false } }, { count: OPEN, page: 100 }],
    [
      'open work of an organization',
      { open: true, where: { done: false }, organization: 1 },
      { count: OPEN / 2, page: OPEN / 2 },
    ],
    ['the small organization', { organization: 9 }, { count: OPEN / 2, page: OPEN / 2 }],
    [
      'an organization without tasks in the same range',
      { open: true, where: { done: false }, organization: 17 },
      { count: 0, page: 0 },
    ],
    ['a span of dates', { date: day }, { count: 199, page: 100 }],
    ['a span of changes', { updated: { from: START + 3_061 * 60_000 } }, { count: 100, page: 100 }],
    ['a contact', { contact: 18 }, { count: 7, page: 7 }],
  ])('of %s cost what matches, and not what the account has', async (_, input, expected) => {
    const { found, usage } = await query(input);
    expect(found).toEqual(expected);
    expect([usage.rounds <= 4, usage.readUnits <= 120, usage.writeUnits <= 17], JSON.stringify(usage)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('of everything count everything, at 25 read units a thousand matches', async () => {
    for (const input of [{}, { organization: 1 }, { updated: { from: START } }]) {
      const { found, usage } = await query(input);
      const count = 'organization' in input ? DONE + OPEN / 2 : DONE + OPEN;
      expect(found).toEqual({ count, page: 100 });
      expect([usage.rounds <= 5, usage.readUnits <= 50 + 50 * (count / 1_000), usage.writeUnits <= 17]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  test('name the filter that is missing or too wide where they cover more than 500,000 entries', async () => {
    const endless = { ...openTable(), query: async () => ({ items: [], next: '{}', read: MAX_LIST_ENTRIES / 4 }) };
    const fields = ['DueFrom', 'DueThrough'] as const;
    const { organization: organizationId, ...everything } = taskList();
    const list = () => listRecords(storeOf(endless, { account: busy, organizationId }), taskEntity, everything, now);
    await expect(boundedQuery({ fields, isGiven: false }, list)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'DueFrom', code: 'too_broad' }],
      message: 'DueFrom and DueThrough are required, or ContactId: the query covers more than 500,000 tasks.',
    });
    await expect(boundedQuery({ fields, isGiven: true }, list)).rejects.toMatchObject({
      message: 'DueFrom and DueThrough cover more than 500,000 tasks. Shorten the time, or add ContactId.',
    });
  });

  test('a page that no other follows writes nothing, however often it is requested', async () => {
    for (const skip of [0, 190, 1_000_000]) {
      const { usage } = await query({ organization: 9, skip });
      expect([skip, usage.writeUnits]).toEqual([skip, 0]);
    }
  });
});

describe('while records change between pages', () => {
  const write = (after: TaskRecord, before: TaskRecord | undefined, Due: number | null) =>
    openTable().commit([taskChanges({ account }, { before, after: { ...after, Due }, now: new Date(START) }).change]);

  test('all pages together have each record once and the same number, until page 1 is requested again or ten minutes pass', async () => {
    const added = taskNumber(TASKS + 2);
    const changed = taskNumber(2);
    const first = await ask({ organization: 1 });
    await write(added, undefined, START - HOUR);
    await write({ ...changed, V: 1 }, { ...changed, V: 1 }, START + 2_000 * HOUR);
    const second = await ask({ organization: 1, skip: 100 });
    expect([first.count, second.count]).toEqual([TASKS / 2, TASKS / 2]);
    expect([...first.ids, ...second.ids]).toEqual(
      inOrder(tasks.filter(({ OrganizationId }) => OrganizationId === 1)).slice(0, 200),
    );
    const later = new Date(now.getTime() + 11 * 60_000);
    expect((await ask({ organization: 1, skip: 100 }, later)).count).toBe(TASKS / 2 + 1);
    const again = await ask({ organization: 1 }, later);
    expect([again.count, again.ids[0]]).toEqual([TASKS / 2 + 1, added.Id]);
  });

  test('a record that was deleted or is no longer visible to the caller is left out, and the page is full', async () => {
    const { count } = await ask({ organization: 2 });
    const { ids } = await ask({ organization: 2, skip: 100 });
    const [gone = 0, changed = 0, ...left] = ids;
    const next = await ask({ organization: 2, skip: 200, take: 2 });
    const table = openTable();
    const before = { ...taskNumber(changed), V: 1 };
    await table.commit([{ remove: layout.task.key({ account, id: gone }) }]);
    await table.commit([taskChanges({ account }, { before, after: { ...before, OrganizationId: 1 }, now }).change]);
    expect(await ask({ organization: 2, skip: 100 })).toMatchObject({ count, ids: [...left, ...next.ids] });
    expect((await ask({ organization: 2 })).count).toBe(count - 2);
  });
});

describe('items that are loaded into the file of the engine', () => {
  const rowsIn = (file: string) => {
    const data = new DatabaseSync(file, { readOnly: true });
    const names = ['test-table', ...[1, 2, 3, 4].map((index) => `test-table::gsi::GSI${index}`)];
    const rows = names.flatMap((name) => data.prepare(`SELECT * FROM "${name}" WHERE item_json LIKE '%loaded%'`).all());
    data.close();
    return rows.map((row) => ({ ...row, item_json: JSON.parse(String(row['item_json'])) as unknown }));
  };

  test('are stored as the engine stores them', async () => {
    const { change } = taskChanges(
      { account: 'loaded' },
      {
        before: undefined,
        after: taskEntity.blank({ Id: 1, OrganizationId: 1, ContactId: 1, Created: START }),
        now: new Date(START),
      },
    );
    const values = {
      Zeros: [0, 100, -2.5, 0.001, 1_700_000_000_000],
      Nested: { Text: 'Zoë 😀', Nothing: null, Yes: true, List: [[]], Map: {} },
    };
    const bytes = { Bytes: Uint8Array.of(1, 2, 255), Empty: '' };
    const items: Item[] = [...('put' in change ? [change.put] : []), { PK: 'loaded#1', SK: 'a', ...values, ...bytes }];
    const folder = await mkdtemp(join(tmpdir(), 'loaded-'));
    await openTable().putMany(items);
    engine.backUp(join(folder, 'written.db'));
    await engine.load(async (loader) => loader.put(items));
    engine.backUp(join(folder, 'loaded.db'));
    const [written, loaded] = ['written.db', 'loaded.db'].map((name) => rowsIn(join(folder, name)));
    await rm(folder, { recursive: true });
    expect(written).toHaveLength(6);
    expect(loaded).toEqual(written);
  });
});
