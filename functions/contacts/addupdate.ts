import { Contact } from '../../lib/entities/contacts.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { readLeads } from '../../lib/domain/contacts/read-lead.ts';
import { contactSearchFields } from '../../lib/resources/contacts.ts';
import { many } from '../../lib/resources/fields.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact.ts';
import { MAX_CONTACTS, upsertContacts } from '../../lib/workflows/contacts/upsert-contacts.ts';

export const addupdate = operation({
  title: 'Add or update contacts',
  summary: 'Adds contacts or updates existing ones.',
  rules: [
    'Matches has the contacts, at most 25; a single one may stand at the top level.',
    'All contacts are stored, or none.',
    'A contact with Id or Hash is updated. Without these the search fields find it; if they find nobody, its e-mail ' +
      'does where the names agree, or without an e-mail its phone together with its name: [who is the same ' +
      'person](/docs#description/who-is-the-same-person).',
    'Where one contact matches it is updated, where none does a contact is added, and several are 409 with the ' +
      'candidates.',
    'An absent field stays as it is; null clears it. The empty PmtOnFile fields of a response, sent back, change ' +
      'nothing.',
    'Tags and Notes are added to the existing ones; a Note with an Id is changed.',
    'OwnerUserId must be an active user of the organization of the contact.',
    'Message says which contact shares the e-mail of a new one and, with DistributeLead, why the organization was ' +
      'chosen.',
  ],
  access: 'write',
  maxBody: 3 * 1024 * 1024,
  readLenient: readLeads,
  request: () => ({ ...Contact.shape(), ...contactSearchFields(), Matches: many(Contact, MAX_CONTACTS) }),
  ignores: () => ['Skip', 'Limit'],
  response: () => ({ Matches: many(Contact) }),
  document: () => ({ fields: { Matches: 'Required without a contact at the top level.' } }),
  example: {
    Matches: [
      {
        OrganizationId: 1,
        Name: 'José García Núñez',
        Email: 'jose@example.com',
        Phone: '(804) 555-0143',
        Address1: '12 Main Street',
        City: 'Richmond',
        State: 'VA',
        Zip: '23220',
      },
    ],
  },
  async run(request, context) {
    const { store, caller, now, remark } = context;
    const { records, changes, remarks } = await upsertContacts(request, context);
    const view = { caller, now, paymentOnFile: request.ReturnPmtOnFile ?? false };
    remarks.forEach(remark);
    return save(changes, { Matches: await loadContactResources(store, records, view) });
  },
});
