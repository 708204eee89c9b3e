import type { ProposalRecord, Proposal } from '../../entities/proposals.ts';
import { proposalToResource } from '../../domain/proposals/record.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { findClientLinks } from '../../store/links.ts';
import { settingsOf } from '../../store/settings.ts';
import { loadContactResources } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';

const hasCustomFields = ({ CustomFields }: Pick<ProposalRecord, 'CustomFields'>) => CustomFields.length > 0;

/** Proposals as resources. Reads contacts with one BatchGet; custom fields are usually cached. */
export async function loadProposalResources(
  { store, caller, now }: ReadContext,
  records: readonly ProposalRecord[],
  { includeContact }: { readonly includeContact: boolean },
): Promise<Proposal[]> {
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const needsDefinitions = records.some((record) => hasCustomFields(record) || record.Lines.some(hasCustomFields));
  const [definitions, contacts, link] = await Promise.all([
    needsDefinitions ? settingsOf<CustomField>(store, 'CustomField') : [],
    findContacts(store, contactIds, { consistent: false, asRecorded: true }).then((found) =>
      loadContactResources(store, found, { caller, now }),
    ),
    findClientLinks(store, caller.role, now),
  ]);
  const contactById = new Map(contacts.map((contact) => [contact.Id, contact]));
  return records.map((record) => {
    const contact = contactById.get(record.ContactId) ?? null;
    return proposalToResource(record, { now: now.getTime(), contact, definitions, link });
  });
}
