import { operation } from '../../lib/api/operation.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { tagResponse } from '../../lib/workflows/contacts/tags.ts';

export const listtags = operation({
  name: 'contacts/listtags',
  summary: 'The tags of a contact.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ ContactId: required(id()) }),
  response: tagResponse,
  failures: ['notFound'],
  example: { ContactId: 1 },
  async run({ ContactId }, { caller, table }) {
    const contact = await findContact(table, caller, ContactId);
    if (!contact) throw notFound('contact', 'ContactId', ContactId);
    return { ContactId, TagList: contact.Tags };
  },
});
