import { operation, save } from '../../lib/api/operation.ts';
import type { ContactInput } from '../../lib/domain/contacts/apply-input.ts';
import { Contact } from '../../lib/resources/contacts.ts';
import { many } from '../../lib/resources/resource.ts';
import { conflict, forbidden, invalid, notFound } from '../../lib/shared/failure.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { MAX_CANDIDATES } from '../../lib/store/contact-search.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact-resources.ts';
import { requestedCriteria, searchFields } from '../../lib/workflows/contacts/search-criteria.ts';
import { type UpsertInput, upsertContacts } from '../../lib/workflows/contacts/upsert-contacts.ts';

const MAX_CONTACTS = 25;

/** What typed clients send in every field that they leave out. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/**
 * The contact whose fields stand at the top level of the request: with one that says something, or, where it is the
 * only contact, with any at all.
 */
function topLevel(request: Record<string, unknown>, only: boolean): ContactInput | undefined {
  const fields = Object.keys(Contact.shape()).filter((name) => request[name] !== undefined);
  const contactInput = fields.some((name) => only || !isBlank(request[name]));
  return contactInput ? (Object.fromEntries(fields.map((name) => [name, request[name]])) as ContactInput) : undefined;
}

export const addupdate = operation({
  name: 'contacts/addupdate',
  summary: 'Adds contacts, or updates those there are already.',
  description:
    'Contacts come in Matches (at most 25), one also at the top level. A contact with Id or Hash is updated; otherwise the search fields, else its e-mail, ' +
    'else its phone together with its name look for one: one match is updated, several are 409 with the candidates, none makes a new contact. An absent ' +
    'field stays as it is, null clears it. Tags and Notes are added to those there are; a Note with its Id is changed; the empty PmtOnFile fields of an ' +
    'answer, sent back, change nothing. All contacts succeed or none does.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ...Contact.shape(), ...searchFields(), Matches: many(Contact, MAX_CONTACTS) }),
  response: () => ({ Matches: many(Contact) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    Matches: [
      {
        Name: 'José García Núñez',
        Email: 'jose@example.com',
        Phone: '(217) 555-0143',
        Address1: '12 Main Street',
        City: 'Springfield',
        State: 'IL',
        Zip: '62701',
      },
    ],
  },
  async run(request, { caller, table, now, baseUrl }) {
    const listed = request.Matches ?? [];
    const single = topLevel(request, listed.length === 0);
    const contactInput = [...(single ? [single] : []), ...listed];
    const fieldOf = (index: number, field: string) =>
      single && index === 0 ? field : `Matches[${index - (single ? 1 : 0)}].${field}`;
    if (contactInput.length === 0) throw invalid({ field: 'Matches', message: 'must hold at least one contact' });
    if (contactInput.length > MAX_CONTACTS)
      throw invalid({
        field: 'Matches',
        message: `must hold at most ${MAX_CONTACTS} contacts, the one at the top level included`,
      });

    const foreign = contactInput.findIndex(
      ({ OrganizationId }) =>
        caller.organizationId !== null && OrganizationId && OrganizationId !== caller.organizationId,
    );
    if (foreign >= 0)
      throw forbidden(
        `This key belongs to organization ${caller.organizationId} and may not name another.`,
        fieldOf(foreign, 'OrganizationId'),
      );

    const criteria = requestedCriteria(request, await callerOrganization(table, caller, now));
    const searched = Object.keys(criteria).length > 0;
    if (searched && contactInput.length > 1)
      throw invalid({ field: 'Matches', message: 'must hold one contact when there are search fields' });
    const inputs = contactInput.map((contact): UpsertInput => ({
      contactInput: contact,
      criteria: searched ? criteria : undefined,
      distribute: request.DistributeLead ?? false,
    }));

    const upsert = await upsertContacts(table, caller, inputs, now);
    const view = { accountId: caller.accountId, baseUrl, now, paymentOnFile: request.ReturnPmtOnFile ?? false };
    switch (upsert.kind) {
      case 'invalid':
        throw invalid(
          ...upsert.errors.map(({ index, field, message }) => ({ field: fieldOf(index, field), message: message })),
        );
      case 'missing': {
        const { Id, Hash } = inputs[upsert.index]?.contactInput ?? {};
        throw notFound('contact', fieldOf(upsert.index, Id ? 'Id' : 'Hash'), Id || Hash);
      }
      case 'ambiguous': {
        const Matches = await loadContactResources(table, upsert.candidates, view);
        const many = Matches.length < MAX_CANDIDATES ? `${Matches.length}` : `${MAX_CANDIDATES} or more`;
        throw conflict(`${many} contacts fit. Name one by its Id; Matches holds them.`, { Matches });
      }
      case 'ready':
        return save(upsert.changes, {
          Matches: await loadContactResources(table, upsert.records, view),
          Message: upsert.reasons.join(' '),
        });
    }
  },
});
