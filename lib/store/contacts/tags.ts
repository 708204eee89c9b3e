import { tagEntity, type Tag } from '../../entities/contact-entries.ts';
import { tagNameKey } from '../../domain/contacts/record.ts';
import { LIST_LIMITS } from '../../domain/list-limits.ts';
import type { Change } from '../dynamodb/changes.ts';
import { reserveIds } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import type { StoreReader, StoreWriter } from '../store.ts';

/** The existing tags for names, ignoring case: name key → tag. */
export async function findTags({ account, table }: StoreReader, names: readonly string[]): Promise<Map<string, Tag>> {
  const keys = [...new Set(names.map(tagNameKey))].map((name) => layout.tagName.key({ account, name }));
  const tags = (await table.getMany(keys)).map(tagEntity.readDeclared);
  return new Map(tags.map((tag) => [tagNameKey(tag.Name), tag]));
}

/** The existing tags for ids. Reads the account's list, which is one page, because people choose from it. */
export async function findTagsById({ table, account }: StoreReader, ids: readonly number[]): Promise<Map<number, Tag>> {
  if (!ids.length) return new Map();
  const { items } = await table.query({ partition: layout.tagName.of({ account }), consistent: true });
  const tags = items.map(tagEntity.readDeclared).filter(({ Id }) => ids.includes(Id));
  return new Map(tags.map((tag) => [tag.Id, tag]));
}

/** How many more tags an account may have. */
async function tagsLeft({ table, account }: StoreReader): Promise<number> {
  const { entries: limit } = LIST_LIMITS.tags;
  const { items, next } = await table.query({
    partition: layout.tagName.of({ account }),
    limit,
    attributes: ['PK', 'SK'],
    consistent: false,
  });
  return next === undefined ? limit - items.length : 0;
}

/**
 * The tags for names; the changes store the new ones, and fail if another call creates one of them first. `full` if the
 * account may not have so many tags. Only new names read the account's list.
 */
export async function tagChanges(
  store: StoreWriter,
  names: readonly string[],
  existing: ReadonlyMap<string, Tag>,
): Promise<{ kind: 'full' } | { kind: 'ready'; tags: Tag[]; changes: Change[] }> {
  const { account } = store;
  const byKey = new Map(names.toReversed().map((name) => [tagNameKey(name), name.trim()]));
  const keys = [...new Set(names.map(tagNameKey))];
  const newKeys = keys.filter((key) => !existing.has(key));
  const [ids, left] = newKeys.length
    ? await Promise.all([reserveIds(store, 'Tag', newKeys.length), tagsLeft(store)])
    : [[], 0];
  if (newKeys.length > left) return { kind: 'full' };
  const created = new Map(
    newKeys.map((key, index): [string, Tag] => [key, { Id: ids[index] ?? 0, Name: byKey.get(key) ?? '' }]),
  );
  return {
    kind: 'ready',
    tags: keys.flatMap((key) => existing.get(key) ?? created.get(key) ?? []),
    changes: [...created].map(([name, tag]) => ({
      put: { ...layout.tagName.key({ account, name }), ...tag },
      if: 'absent',
    })),
  };
}
