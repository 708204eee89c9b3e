import type { Fields } from '../../lib/entities/declaration/field.ts';
import { readdirSync } from 'node:fs';
import { groups } from '../../functions/index.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { entityAt } from '../../lib/store/entities.ts';
import { attributes } from '../../lib/store/keys.ts';
import { writeBook } from './price-book.ts';
import { type TestAccount, testStack } from './stack/stack.ts';

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
export const entities = await loadEntities();

/**
 * Fields with a default that such an item has. A sequence counts from 0 with its first event. An account without Schema
 * is of a version before 0.3, which is refused.
 */
const everStored: Readonly<Record<string, readonly string[]>> = { Sequence: ['Last'], Account: ['Schema'] };

const FUTURE = { Kept: [1, 'two', null] };

const searchEntries = 'Email Phone Tracking Name Address Tag Category Created NoteAge'.split(' ');

/** Kinds of items that one declaration of another name is for. */
const declaredAs: ReadonlyMap<unknown, string> = new Map([
  ['AccountKey', 'Key'],
  ['TagName', 'Tag'],
  ...searchEntries.map((by) => [`Contact${by}`, 'SearchEntry'] as const),
]);

/** What an item is declared as. */
export const kindOf = (item: Item): string => {
  const kind = item[attributes.entity] ?? entityAt(item);
  return declaredAs.get(kind) ?? String(kind);
};

/** The kind of the record in an entry of the price book, by the kind in its key. */
export function bookKindOf({ SK }: Item): string {
  const [kind = ''] = SK.split('#');
  return kind === 'RevenueCategory' ? 'BrandingRevenueCategory' : kind;
}

export const nameOf = ({ PK, SK }: Item): string => `${PK} ${SK}`;

export type Strip = (fields: Readonly<Record<string, unknown>>, declared: Fields) => Record<string, unknown>;

/** Without the fields that have a default. */
export const withoutDefaults: Strip = (fields, declared) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => declared[name] === undefined || declared[name].options.required),
  );

/** The same of the objects, lists and maps in it, which stay. */
export const withoutInnerDefaults: Strip = (fields, declared) =>
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
export function rewritten(item: Item, strip: Strip): Item {
  const kind = kindOf(item);
  const kept = [attributes.version, 'TTL', ...(everStored[kind] ?? [])].filter((name) => name in item);
  const silent = item[attributes.entity] === undefined ? {} : { [attributes.silentVersion]: item[attributes.version] };
  const record = entities.get(bookKindOf(item)) ?? {};
  return {
    PK: item.PK,
    SK: item.SK,
    ...strip(item, entities.get(kind) ?? {}),
    ...(kind === 'BookEntry'
      ? { Of: { ...strip(item['Of'] as Record<string, unknown>, record), FromTheFuture: FUTURE } }
      : {}),
    ...Object.fromEntries(kept.map((name) => [name, item[name]])),
    ...silent,
    FromTheFuture: FUTURE,
  };
}

export async function itemsOf({ accountId }: TestAccount): Promise<Item[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const items: Item[] = [];
  const pages = openScan({ tableName, endpoint })({ accounts: [accountId], isWhole: true });
  for await (const page of pages) items.push(...page);
  return items;
}

const examples = groups.flatMap(({ operations }) => operations.map(({ name, example }) => [name, example] as const));

/** Makes the records of which an account has none, by the examples of operations and a price book. */
export async function callMakers(account: TestAccount): Promise<void> {
  await account.newKey({ role: 'Office' });
  await writeBook(account.accountId, {
    partTemplates: [{ OptionName: 'Screens', Selected: true }],
    revenueCategories: [{ Name: 'Residential', Percentage: 6 }],
    proposalTemplates: [{ Name: 'Spring clean', ServiceId: 1, ProposalTemplateLines: [{ Name: 'Advice' }] }],
  });
  const makers =
    'user/create payment/import contacts/logcall contacts/upload contacts/addtags accountingclasses/create';
  for (const [name, example] of examples) if (makers.split(' ').includes(name)) await account.call(name, example);
  await account.call('webhooks/rotatesecret', {});
}
