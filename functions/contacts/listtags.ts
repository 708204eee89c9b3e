import { operation } from '../../lib/api/operation.ts';
import { contactTags } from '../../lib/resources/contacts.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';

export const listtags = operation({
  title: 'List tags',
  summary: 'Lists the tags of a contact.',
  access: 'read',
  request: () => ({ ContactId: required(id()) }),
  response: contactTags,
  example: { ContactId: 1 },
  async run({ ContactId }, context) {
    return { ContactId, TagList: (await loadContact(context, ContactId)).Tags };
  },
});
