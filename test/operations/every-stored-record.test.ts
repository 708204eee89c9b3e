import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import type { Fields } from '../../lib/entities/fields.ts';
import { eventEntities } from '../../lib/entities/index.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { entityAt } from '../../lib/store/entities.ts';
import { attributes } from '../../lib/store/keys.ts';
import { exampleAccount } from '../support/documents/examples.ts';
import { type TestAccount, testStack, testTable } from '../support/stack/stack.ts';

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
  for (const file of readdirSync(folder)) {
    const exported = (await import(new URL(file, folder).href)) as object;
    for (const value of Object.values(exported))
      if (isEntity(value)) entities.set(value.name, { ...entities.get(value.name), ...value.fields });
  }
  return entities;
}

/**
 * Items that count, or from which others follow that guard a name: without it, what exists would be made once more. They
 * keep their fields, and get one of the future.
 */
const guarding = 'Account AccountingClass BookRevision Calendar Cursor IdLease PostalShare Sequence'.split(' ');

const FUTURE = { Kept: [1, 'two', null] };

/** Their examples make the records of which the account of examples has none. */
const makers = ['user/create', 'payment/import', 'contacts/logcall', 'contacts/upload', 'accountingclasses/create'];

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

let account: TestAccount;
let entities: ReadonlyMap<string, Fields>;
const examples = groups.flatMap(({ operations }) => operations.map(({ name, example }) => [name, example] as const));

async function allItems(): Promise<Item[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const items: Item[] = [];
  const pages = openScan({ tableName, endpoint })({ accounts: [account.accountId], isWhole: true });
  for await (const page of pages) items.push(...page);
  return items;
}

const kindOf = (item: Item): string => {
  const kind = item[attributes.entity] ?? entityAt(item);
  return kind === 'AccountKey' ? 'Key' : String(kind);
};

/** The item as a version wrote it that knew the required fields only, and one that knows a field more. */
function rewritten(item: Item): Item {
  const fields = guarding.includes(kindOf(item)) ? {} : (entities.get(kindOf(item)) ?? {});
  const kept = Object.entries(item).filter(([name]) => {
    const field = fields[name];
    return !field || field.options.required || name === attributes.version || name === 'TTL';
  });
  const silent = item[attributes.entity] === undefined ? {} : { [attributes.silentVersion]: item[attributes.version] };
  return { PK: item.PK, SK: item.SK, ...Object.fromEntries(kept), ...silent, FromTheFuture: FUTURE };
}

beforeAll(async () => {
  entities = await loadEntities();
  account = await exampleAccount();
  await account.newKey({ role: 'Office' });
  for (const [name, example] of examples) if (makers.includes(name)) await account.call(name, example);
}, 60_000);

test('every operation reads and changes records without fields that have a default, and keeps one of the future', async () => {
  const before = await allItems();
  const kinds = new Set(before.map(kindOf));
  expect([...eventEntities.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
  await testTable().putMany(before.map(rewritten));

  const refused: Record<string, unknown> = {};
  for (const [name, example] of examples) {
    const { status, body, text } = await account.call(name, example);
    if (status !== 200) refused[name] = status < 500 ? body['Code'] : text;
  }
  expect(refused).toEqual(unmet);

  const versions = new Map(before.map((item) => [`${item.PK} ${item.SK}`, item[attributes.version]]));
  const changed = (await allItems()).filter((item) => {
    const version = versions.get(`${item.PK} ${item.SK}`);
    return version !== undefined && eventEntities.has(kindOf(item)) && item[attributes.version] !== version;
  });
  const kindsChanged = ['Appointment', 'Contact', 'Organization', 'Proposal', 'Task', 'User'];
  expect(changed.map(kindOf)).toEqual(expect.arrayContaining(kindsChanged));
  expect(changed.filter(({ FromTheFuture }) => FromTheFuture === undefined)).toEqual([]);
}, 60_000);
