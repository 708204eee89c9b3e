import { operation, save } from '../../lib/api/operation.ts';
import { tagNameKey } from '../../lib/domain/contacts/tags.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { updateContactChanges, findContact } from '../../lib/store/contacts.ts';
import { requestedTags, tagRequest, tagResponse } from '../../lib/workflows/contacts/tags.ts';

export const removetags = operation({
  name: 'contacts/removetags',
  summary: 'Takes tags off a contact.',
  description: 'A tag that is not there changes nothing. The answer is the resulting list.',
  access: 'write',
  needs: ['table:write'],
  request: tagRequest,
  response: tagResponse,
  failures: ['invalid', 'notFound'],
  example: { ContactId: 1, TagList: [{ Name: 'maintenance plan' }] },
  async run({ ContactId, TagList }, { caller, table, now }) {
    const { ids, names } = requestedTags(TagList);
    const gone = new Set(names.map(tagNameKey));
    const contact = await findContact(table, caller, ContactId);
    if (!contact) throw notFound('contact', 'ContactId', ContactId);
    const Tags = contact.Tags.filter(({ Id, Name }) => !ids.includes(Id) && !gone.has(tagNameKey(Name)));
    const after = Tags.length < contact.Tags.length ? { ...contact, Tags } : contact;
    return save(await updateContactChanges(table, caller.accountId, { before: contact, after, now }), {
      ContactId,
      TagList: after.Tags,
    });
  },
});
