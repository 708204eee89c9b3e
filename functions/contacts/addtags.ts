import { operation, save } from '../../lib/api/operation.ts';
import { contactTags, tagFields } from '../../lib/resources/contacts.ts';
import { addTags } from '../../lib/workflows/contacts/change-tags.ts';

export const addtags = operation({
  name: 'contacts/addtags',
  title: 'Add tags',
  summary: 'Adds tags to a contact; new names become tags of the account.',
  rules: ['Case does not count in names.', 'A tag that the contact already has changes nothing.', 'Returns all tags.'],
  access: 'write',
  needs: ['table:write'],
  request: tagFields,
  response: contactTags,
  failures: ['notFound'],
  document: () => ({ fields: { TagList: 'Id or Name is required in each.' } }),
  example: { ContactId: 1, TagList: [{ Name: 'Maintenance plan' }] },
  async run(request, context) {
    const { tags, changes } = await addTags(request, context);
    return save(changes, { ContactId: request.ContactId, TagList: tags });
  },
});
