import type { Caller } from '../../store/caller.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { proposalToResource } from '../../domain/proposals/to-resource.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Proposal } from '../../resources/proposals.ts';
import { findContacts } from '../../store/contacts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';

/** Who sees proposals, and how. */
export interface ProposalResourceOptions {
  readonly accountId: string;
  readonly baseUrl: string;
  readonly now: Date;
  readonly includeContact: boolean;
}

/** Proposals in their complete form. Contacts are one BatchGet; custom fields are out of memory as a rule. */
export async function loadProposalResources(
  table: TableReader,
  records: readonly ProposalRecord[],
  { accountId, baseUrl, now, includeContact }: ProposalResourceOptions,
): Promise<Proposal[]> {
  const contactIds = includeContact ? [...new Set(records.map(({ ContactId }) => ContactId))] : [];
  const hasFields = ({ CustomFields }: Pick<ProposalRecord, 'CustomFields'>) => CustomFields.length > 0;
  const draws = records.some((record) => hasFields(record) || record.Lines.some(hasFields));
  const [definitions, contacts] = await Promise.all([
    draws ? listRecentSettings<CustomField>(table, accountId, 'CustomField', now) : [],
    findContacts(table, accountId, contactIds, { consistent: false }).then((found) =>
      loadContactResources(table, found, { accountId, baseUrl, now }),
    ),
  ]);
  const byId = new Map(contacts.map((contact) => [contact.Id, contact]));
  return records.map((record) =>
    proposalToResource(record, {
      baseUrl,
      now: now.getTime(),
      contact: byId.get(record.ContactId) ?? null,
      definitions,
    }),
  );
}

/** What of a call decides how proposals are shown. */
export interface ResourceContext {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  readonly baseUrl: string;
}

/** Proposals as the caller wants to see them. */
export const toProposalResources = (
  { table, caller, now, baseUrl }: ResourceContext,
  records: readonly ProposalRecord[],
  includeContact = false,
): Promise<Proposal[]> =>
  loadProposalResources(table, records, { accountId: caller.accountId, baseUrl, now, includeContact });
