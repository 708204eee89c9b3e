import { operation, save } from '../../lib/api/operation.ts';
import { Contact, contactSearchFields } from '../../lib/resources/contacts.ts';
import { many } from '../../lib/resources/resource.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact-resources.ts';
import { MAX_CONTACTS, upsertContacts } from '../../lib/workflows/contacts/upsert-contacts.ts';

export const addupdate = operation({
  name: 'contacts/addupdate',
  title: 'Add or update contacts',
  summary: 'Adds contacts or updates existing ones.',
  rules: [
    'Contacts come in Matches (at most 25); one may stand at the top level.',
    'A contact with Id or Hash is updated.',
    'Otherwise the search fields find it; if they find nobody, its e-mail, or without an e-mail its phone ' +
      'together with its name: one match is updated, several are 409 with the candidates, and without a match a ' +
      'contact is added.',
    'OwnerUserId must be an active user of the organization of the contact.',
    'An absent field stays as it is; null clears it.',
    'Tags and Notes are added to the existing ones; a Note with an Id is changed.',
    'The empty PmtOnFile fields of a response, sent back, change nothing.',
    'All contacts succeed or none. Message says why DistributeLead chose the organization.',
  ],
  access: 'write',
  needs: ['table:write'],
  maxBody: 3 * 1024 * 1024,
  request: () => ({ ...Contact.shape(), ...contactSearchFields(), Matches: many(Contact, MAX_CONTACTS) }),
  ignores: () => ['Skip', 'Limit'],
  response: () => ({ Matches: many(Contact) }),
  failures: ['notFound'],
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
    const { table, caller, now } = context;
    const { records, changes, reasons } = await upsertContacts(request, context);
    const view = { caller, now, paymentOnFile: request.ReturnPmtOnFile ?? false };
    return save(changes, { Matches: await loadContactResources(table, records, view), Message: reasons.join(' ') });
  },
});
