import { operation, save } from '../../lib/api/operation.ts';
import { contactTags, tagFields } from '../../lib/resources/contacts.ts';
import { removeTags } from '../../lib/workflows/contacts/change-tags.ts';

export const removetags = operation({
  title: 'Remove tags',
  summary: 'Removes tags from a contact.',
  rules: ['A tag that the contact does not have changes nothing.', 'The answer has the tags that remain.'],
  access: 'write',
  request: tagFields,
  response: contactTags,
  document: () => ({ fields: { TagList: 'Id or Name is required in each.' } }),
  example: { ContactId: 1, TagList: [{ Name: 'maintenance plan' }] },
  async run(request, context) {
    const { tags, changes } = await removeTags(request, context);
    return save(changes, { ContactId: request.ContactId, TagList: tags });
  },
});
