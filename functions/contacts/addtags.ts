import { operation, save } from '../../lib/api/operation.ts';
import { MAX_TAGS } from '../../lib/domain/contacts/tags.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { updateContactChanges, findContact } from '../../lib/store/contacts.ts';
import { findTags, findTagsById, tagChanges } from '../../lib/store/tags.ts';
import { requestedTags, tagRequest, tagResponse } from '../../lib/workflows/contacts/tags.ts';

export const addtags = operation({
  name: 'contacts/addtags',
  summary: 'Adds tags to a contact; names that are new become tags of the account.',
  description:
    'Names are the same whatever their case. A tag that is there already changes nothing. The answer is the resulting list.',
  access: 'write',
  needs: ['table:write'],
  request: tagRequest,
  response: tagResponse,
  failures: ['invalid', 'notFound'],
  example: { ContactId: 1, TagList: [{ Name: 'Maintenance plan' }] },
  async run({ ContactId, TagList }, { caller, table, now }) {
    const { accountId } = caller;
    const { ids, names } = requestedTags(TagList);
    const [contact, byId, byName] = await Promise.all([
      findContact(table, caller, ContactId),
      findTagsById(table, accountId, ids),
      findTags(table, accountId, names),
    ]);
    if (!contact) throw notFound('contact', 'ContactId', ContactId);
    const unknown = ids.find((id) => !byId.has(id));
    if (unknown !== undefined) throw notFound('tag', 'TagList', unknown);
    const { tags, changes } = await tagChanges(table, accountId, names, byName);
    const fresh = new Map(
      [...byId.values(), ...tags]
        .filter(({ Id }) => !contact.Tags.some((tag) => tag.Id === Id))
        .map((tag) => [tag.Id, tag]),
    );
    if (contact.Tags.length + fresh.size > MAX_TAGS)
      throw invalid({ field: 'TagList', message: `must leave the contact with at most ${MAX_TAGS} tags` });
    const after = fresh.size ? { ...contact, Tags: [...contact.Tags, ...fresh.values()] } : contact;
    const changed = await updateContactChanges(table, accountId, { before: contact, after, now });
    return save([...changed, ...changes], { ContactId, TagList: after.Tags });
  },
});
