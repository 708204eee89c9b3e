import type { ProposalRecord } from '../domain/proposals/record.ts';
import { proposalOf } from '../domain/proposals/view.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Proposal } from '../resources/proposals.ts';
import type { TableReader } from './client.ts';
import { showContacts } from './contact-view.ts';
import { readContacts } from './contacts.ts';
import { cachedList } from './lists.ts';

/** Who sees proposals, and how. */
export interface ProposalViewer {
  readonly accountId: string;
  readonly baseUrl: string;
  readonly now: Date;
  readonly includeContact: boolean;
}

/** Proposals in their complete form. Contacts are one BatchGet; custom fields are out of memory as a rule. */
export async function showProposals(
  table: TableReader,
  records: readonly ProposalRecord[],
  { accountId, baseUrl, now, includeContact }: ProposalViewer,
): Promise<Proposal[]> {
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const hasFields = ({ CustomFields }: Pick<ProposalRecord, 'CustomFields'>) => CustomFields.length > 0;
  const draws = records.some((record) => hasFields(record) || record.Lines.some(hasFields));
  const [definitions, contacts] = await Promise.all([
    draws ? cachedList<CustomField>(table, accountId, 'CustomField', now) : [],
    readContacts(table, accountId, contactIds, { consistent: false }).then((found) =>
      showContacts(table, found, { accountId, baseUrl, now }),
    ),
  ]);
  const byId = new Map(contacts.map((contact) => [contact.Id, contact]));
  return records.map((record) =>
    proposalOf(record, { baseUrl, now: now.getTime(), contact: byId.get(record.ContactId) ?? null, definitions }),
  );
}
