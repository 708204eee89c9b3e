import type { Tag } from '../../entities/contact-entries.ts';
import { MAX_TAGS, TAGS_FULL, tagNameKey } from '../../domain/contacts/record.ts';
import type { tagFields } from '../../resources/contacts.ts';
import type { FieldsInput } from '../../resources/fields.ts';
import { collectErrors, invalid, notFound } from '../../shared/failure.ts';
import { updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findTags, findTagsById, tagChanges } from '../../store/contacts/tags.ts';
import type { WriteContext } from '../context.ts';
import { loadContact } from './load-contact.ts';

type TagsInput = FieldsInput<ReturnType<typeof tagFields>>;

/** The tags of the contact after the change. */
interface TagsChange {
  readonly tags: readonly Tag[];
  readonly changes: readonly Change[];
}

/** Adds tags to a contact. Throws notFound for an unknown contact or tag id, and invalid above 100 tags. */
export async function addTags({ ContactId, TagList }: TagsInput, context: WriteContext): Promise<TagsChange> {
  const { store, now } = context;
  const { ids, names } = requestedTags(TagList);
  const [contact, byId, byName] = await Promise.all([
    loadContact(context, ContactId),
    findTagsById(store, ids),
    findTags(store, names),
  ]);
  const unknown = ids.find((id) => !byId.has(id));
  if (unknown !== undefined) throw notFound('tag', 'TagList', unknown);
  const requested = await tagChanges(store, names, byName);
  if (requested.kind === 'full') throw invalid({ field: 'TagList', code: 'limit', message: TAGS_FULL });
  const added = new Map([...byId.values(), ...requested.tags].map((tag) => [tag.Id, tag]));
  for (const { Id } of contact.Tags) added.delete(Id);
  if (contact.Tags.length + added.size > MAX_TAGS)
    throw invalid({ field: 'TagList', code: 'limit', message: `must leave the contact with at most ${MAX_TAGS} tags` });
  const after = added.size ? { ...contact, Tags: [...contact.Tags, ...added.values()] } : contact;
  const changes = updateContactChanges(store, { before: contact, after, now });
  return { tags: after.Tags, changes: [...changes, ...requested.changes] };
}

/** Removes tags from a contact. Throws notFound for an unknown contact. */
export async function removeTags({ ContactId, TagList }: TagsInput, context: WriteContext): Promise<TagsChange> {
  const { store, now } = context;
  const { ids, names } = requestedTags(TagList);
  const removed = new Set(names.map(tagNameKey));
  const contact = await loadContact(context, ContactId);
  const tags = contact.Tags.filter(({ Id, Name }) => !ids.includes(Id) && !removed.has(tagNameKey(Name)));
  const after = tags.length < contact.Tags.length ? { ...contact, Tags: tags } : contact;
  const changes = updateContactChanges(store, { before: contact, after, now });
  return { tags: after.Tags, changes };
}

/** The ids of the tags that have one, and the names of the others; 400 for tags with neither. */
function requestedTags(list: TagsInput['TagList']): { ids: number[]; names: string[] } {
  const errors = list.flatMap(({ Id, Name }, index) =>
    collectErrors([`TagList[${index}].Name`, !Id && !tagNameKey(Name ?? '') && 'is required, or Id', 'required']),
  );
  if (errors.length) throw invalid(...errors);
  return {
    ids: list.flatMap(({ Id }) => Id || []),
    names: list.flatMap(({ Id, Name }) => (!Id && Name ? [Name.trim()] : [])),
  };
}
