import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { createDemo } from '../../infra/cli/demo/create-demo.ts';
import { StagedTable } from '../../infra/cli/staged-table.ts';
import type { Fields } from '../../lib/entities/declaration/fields.ts';
import { eventEntities } from '../../lib/events/event-entities.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { entityAt } from '../../lib/store/entities.ts';
import { attributes, layout } from '../../lib/store/keys.ts';
import { countOne, exampleAccount, renewing } from '../support/documents/examples.ts';
import { putExampleDownload } from '../support/downloads.ts';
import { type TestAccount, drainEvents, openAccount, testStack, testTable } from '../support/stack/stack.ts';

interface Declared {
  readonly name: string;
  readonly fields: Fields;
}

const isEntity = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && 'fields' in value && 'readDeclared' in value;

/** Every entity of lib/entities, by name; the fields of all of a name, because some items are read in parts. */
async function loadEntities(): Promise<ReadonlyMap<string, Fields>> {
  const folder = new URL('../../lib/entities/', import.meta.url);
  const entities = new Map<string, Fields>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const exported = (await import(new URL(file, folder).href)) as object;
    for (const value of Object.values(exported))
      if (isEntity(value)) entities.set(value.name, { ...entities.get(value.name), ...value.fields });
  }
  return entities;
}
const entities = await loadEntities();

/** Numbers that count from 0 with the first change: an item that has counted anything has them. */
const counted: Readonly<Record<string, readonly string[]>> = { Sequence: ['Last'] };

const FUTURE = { Kept: [1, 'two', null] };

const examples = groups.flatMap(({ operations }) => operations.map(({ name, example }) => [name, example] as const));

const kindOf = (item: Item): string => {
  const kind = item[attributes.entity] ?? entityAt(item);
  return kind === 'AccountKey' ? 'Key' : String(kind);
};

const nameOf = ({ PK, SK }: Item): string => `${PK} ${SK}`;

type Strip = (fields: Readonly<Record<string, unknown>>, declared: Fields) => Record<string, unknown>;

/** Without the fields that have a default. */
const withoutDefaults: Strip = (fields, declared) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => declared[name] === undefined || declared[name].options.required),
  );

/** The same of the objects, lists and maps in it, which stay. */
const withoutInnerDefaults: Strip = (fields, declared) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const field = declared[name];
      const inner = field?.fields;
      const strip = (part: unknown) => withoutDefaults(part as Record<string, unknown>, inner ?? {});
      if (!field || !inner || !value) return Object.entries(withoutDefaults({ [name]: value }, declared));
      if (Array.isArray(value)) return [[name, value.map(strip)]];
      if (field.stored === 'object') return [[name, strip(value)]];
      return [[name, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, strip(part)]))]];
    }),
  );

/** The item as a version wrote it that knew the required fields only, and one that knows a field more. */
function rewritten(item: Item, strip: Strip): Item {
  const kind = kindOf(item);
  const kept = [attributes.version, 'TTL', ...(counted[kind] ?? [])].filter((name) => name in item);
  const silent = item[attributes.entity] === undefined ? {} : { [attributes.silentVersion]: item[attributes.version] };
  return {
    PK: item.PK,
    SK: item.SK,
    ...strip(item, entities.get(kind) ?? {}),
    ...Object.fromEntries(kept.map((name) => [name, item[name]])),
    ...silent,
    FromTheFuture: FUTURE,
  };
}

async function itemsOf({ accountId }: TestAccount): Promise<Item[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const items: Item[] = [];
  const pages = openScan({ tableName, endpoint })({ accounts: [accountId], isWhole: true });
  for await (const page of pages) items.push(...page);
  return items;
}

/** Their examples make the records of which an account has none. */
async function callMakers(account: TestAccount): Promise<void> {
  await account.newKey({ role: 'Office' });
  const makers = ['user/create', 'payment/import', 'contacts/logcall', 'contacts/upload', 'accountingclasses/create'];
  for (const [name, example] of examples) if (makers.includes(name)) await account.call(name, example);
}

/** Contacts of the demo by whose words and dates nothing is searched. */
const FOUND_BY_ID = 20;
const searchEntries: ReadonlySet<string> = new Set(
  [layout.contactName, layout.contactAddress, layout.contactTag, layout.contactCategory, layout.contactCreated].map(
    ({ entity }) => entity,
  ),
);

/** The small demo, stored as an earlier version would have: half of its items without the defaults of their parts. */
async function strippedDemo(): Promise<TestAccount> {
  const memory = new StagedTable();
  const { accountId, organizationId } = await createDemo(memory, { now: new Date(), size: 'small' });
  const items = memory
    .items()
    .filter((item) => !searchEntries.has(kindOf(item)) || Number(item['Id']) <= FOUND_BY_ID)
    .map((item, index) => rewritten(item, index % 2 ? withoutDefaults : withoutInnerDefaults));
  testTable();
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  await openTable({ tableName, endpoint, deadline: Date.now() + MINUTE }).putMany(items);
  const account = await openAccount(accountId, organizationId);
  await countOne(account);
  return renewing(account);
}

/** Calls every operation with its example; returns the codes of those that are refused. */
async function callAll(account: TestAccount): Promise<Record<string, unknown>> {
  const refused: Record<string, unknown> = {};
  for (const [name, example] of examples) {
    const { status, body, text } = await account.call(name, example);
    if (status !== 200) refused[name] = status < 500 ? body['Code'] : text;
  }
  return refused;
}

/** The kinds of records that were changed; each still has the attribute of the future. */
async function changedKinds(account: TestAccount, before: readonly Item[]): Promise<Set<string>> {
  const old = before.filter(({ FromTheFuture }) => FromTheFuture !== undefined);
  const versions = new Map(old.map((item) => [nameOf(item), item[attributes.version]]));
  const changed = (await itemsOf(account)).filter((item) => {
    const version = versions.get(nameOf(item));
    return version !== undefined && item[attributes.version] !== version;
  });
  const lost = changed.filter(({ FromTheFuture }) => FromTheFuture === undefined);
  expect(lost.filter((item) => eventEntities.has(kindOf(item)))).toEqual([]);
  return new Set(changed.map(kindOf));
}

const kindsChanged = ['Appointment', 'Contact', 'Organization', 'Proposal', 'Task', 'User'];

/** What these need, records lack as they are declared: a description, a duration, a place to start from. */
const unmet: Readonly<Record<string, string>> = {
  'task/update': 'invalid_request',
  'settings/radiuscities': 'requirement_missing',
  'settings/radiuspostalcodes': 'requirement_missing',
  'user/create': 'invalid_request',
  'appointments/book': 'invalid_request',
  'appointments/update': 'invalid_request',
  'appointments/queue': 'invalid_request',
  'appointments/quickbook': 'invalid_request',
};

/** The contact of its first visit has no address, and its first proposal is not open. */
const unmetInDemo: Readonly<Record<string, string>> = {
  'appointments/slotsearch': 'invalid_request',
  'appointments/cancel': 'wrong_state',
  'proposal/accept': 'wrong_state',
};

test('every operation reads and changes records without fields that have a default, and keeps one of the future', async () => {
  const account = await exampleAccount();
  await callMakers(account);
  const before = await itemsOf(account);
  const kinds = new Set(before.map(kindOf));
  expect([...eventEntities.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
  await testTable().putMany(before.map((item) => rewritten(item, withoutDefaults)));
  const old = await itemsOf(account);
  // A search needs the duration too, where the container does not remember the service as it was.
  const searched = { 'appointments/slotsearch': 'invalid_request' };
  expect({ ...searched, ...(await callAll(account)) }).toEqual({ ...unmet, ...searched });
  expect([...(await changedKinds(account, old))]).toEqual(expect.arrayContaining(kindsChanged));
}, 120_000);

test('so they do with the records of the demo company and all that leads to them', async () => {
  const account = await strippedDemo();
  await callMakers(account);
  await putExampleDownload(account.accountId);
  await drainEvents();
  const before = await itemsOf(account);
  const countsAndLists = 'Account AccountingClass BookRevision Calendar IdLease PostalShare Sequence'.split(' ');
  expect(before.map(kindOf)).toEqual(expect.arrayContaining([...countsAndLists, ...eventEntities.keys()]));
  expect(await callAll(account)).toEqual({ ...unmet, ...unmetInDemo });
  expect([...(await changedKinds(account, before))]).toEqual(expect.arrayContaining(kindsChanged));
}, 180_000);
