import { Contact } from '../../lib/entities/contacts.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { described, id, nested, required } from '../../lib/resources/fields.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact.ts';
import { mergeContacts } from '../../lib/workflows/contacts/merge-contacts.ts';

export const merge = operation({
  title: 'Merge two contacts',
  summary: 'Merges a contact into another one, which stays.',
  rules: [
    'Appointments, proposals, invoices, payments, tasks, notes, calls, files and tags go to the contact that stays, ' +
      'and so do references of other contacts. Records follow within two minutes.',
    'Where the contact that stays has no value it takes that of the other one; what differs is in a note.',
    'From then on the Id, Hash, DigitalTrackingId, e-mails, phones and links of the other contact mean the one that ' +
      'stays, for ever.',
    'Until all have followed, sums are those of the records already moved.',
    'Both must be of one organization.',
    'contacts/unmerge undoes it for 30 days.',
  ],
  access: 'write',
  needs: ['table:write', 'messages:write'],
  request: () => ({
    ContactId: required(described(id(), 'The contact that stays.')),
    MergeId: required(described(id(), 'The contact that is merged into it.')),
  }),
  response: () => ({ Contact: nested(Contact), MergedId: id() }),
  example: { ContactId: 1, MergeId: 1012 },
  beforeExample: 'Send the Ids of two contacts that contacts/duplicates lists.',
  async run({ ContactId, MergeId }, context) {
    const { store, caller, now } = context;
    const { contact, changes } = await mergeContacts(ContactId, MergeId, context);
    const [resource = null] = await loadContactResources(store, [contact], { caller, now });
    return save(changes, { Contact: resource, MergedId: MergeId });
  },
});
