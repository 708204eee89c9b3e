import { Contact } from '../../lib/entities/contacts.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { described, id, nested, required } from '../../lib/resources/fields.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact.ts';
import { unmergeContact } from '../../lib/workflows/contacts/merge-contacts.ts';

export const unmerge = operation({
  title: 'Undo a merge of contacts',
  summary: 'Makes a contact that was merged into another one itself again, for 30 days after the merge.',
  rules: [
    'What came with it and is still there goes back, as it is now. What came to the other contact since then stays ' +
      'there.',
    'A field that the other contact took is as before, unless somebody changed it since.',
    'Both keep every refusal of texts or mail, and links that were revoked meanwhile are revoked of both.',
    '409: credit that came with it was used since and not given back.',
  ],
  access: 'write',
  needs: ['table:write', 'messages:write'],
  request: () => ({ MergeId: required(described(id(), 'The contact that was merged.')) }),
  response: () => ({ Contact: nested(Contact) }),
  example: { MergeId: 1013 },
  beforeExample: 'Merge a contact with contacts/merge, and send its Id.',
  async run({ MergeId }, context) {
    const { store, caller, now } = context;
    const { contact, changes } = await unmergeContact(MergeId, context);
    const [resource = null] = await loadContactResources(store, [contact], { caller, now });
    return save(changes, { Contact: resource });
  },
});
