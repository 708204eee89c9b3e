import { operation, save } from '../../lib/api/operation.ts';
import { contactTags, tagFields } from '../../lib/resources/contacts.ts';
import { addTags } from '../../lib/workflows/contacts/change-tags.ts';

export const addtags = operation({
  title: 'Add tags',
  summary: 'Adds tags to a contact; new names become tags of the account.',
  rules: [
    'Names of tags are compared without case.',
    'A tag that the contact already has changes nothing.',
    'The answer has all tags of the contact.',
  ],
  access: 'write',
  request: tagFields,
  response: contactTags,
  document: () => ({ fields: { TagList: 'Id or Name is required in each.' } }),
  example: { ContactId: 1, TagList: [{ Name: 'Maintenance plan' }] },
  async run(request, context) {
    const { tags, changes } = await addTags(request, context);
    return save(changes, { ContactId: request.ContactId, TagList: tags });
  },
});
