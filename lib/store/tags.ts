import { tagNameKey } from '../domain/contacts/record.ts';
import type { Tag } from '../resources/contacts.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { reserveIds } from './dynamodb/ids.ts';
import { layout } from './keys.ts';

/** The tags of names, whatever their case, as far as they exist: folded name → tag. */
export async function findTags(
  table: TableReader,
  account: string,
  names: readonly string[],
): Promise<Map<string, Tag>> {
  const folded = [...new Set(names.map(tagNameKey))];
  const items = await table.getMany(folded.map((name) => layout.tagName.key({ account, name })));
  return new Map(
    items.map((item): [string, Tag] => [
      tagNameKey(item['Name'] as string),
      { Id: item['Id'] as number, Name: item['Name'] as string },
    ]),
  );
}

/**
 * The tags of ids, as far as they exist. The account's tags are read for it, a page of them: they are words that people
 * choose from.
 */
export async function findTagsById(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, Tag>> {
  if (!ids.length) return new Map();
  const { items } = await table.query({ partition: layout.tagName.of({ account }), consistent: true });
  const tags = items.map((item): Tag => ({ Id: item['Id'] as number, Name: item['Name'] as string }));
  return new Map(tags.filter(({ Id }) => ids.includes(Id)).map((tag) => [tag.Id, tag]));
}

/**
 * The tags of names, made where they are new: the changes store the new ones, and fail when another call made one of
 * them first.
 */
export async function tagChanges(
  table: TableWriter,
  account: string,
  names: readonly string[],
  known: ReadonlyMap<string, Tag>,
): Promise<{ tags: Tag[]; changes: Change[] }> {
  const named = new Map<string, string>();
  for (const name of names) if (!named.has(tagNameKey(name))) named.set(tagNameKey(name), name.trim());
  const fresh = [...named].filter(([folded]) => !known.has(folded));
  const ids = fresh.length ? await reserveIds(table, account, 'Tag', fresh.length) : [];
  const made = new Map(fresh.map(([folded, Name], index) => [folded, { Id: ids[index] as number, Name }]));
  const changes = [...made].map(([name, tag]): Change => ({
    put: { ...layout.tagName.key({ account, name }), ...tag },
    if: 'absent',
  }));
  const tags = [...new Set(names.map(tagNameKey))].flatMap((name) => known.get(name) ?? made.get(name) ?? []);
  return { tags, changes };
}
