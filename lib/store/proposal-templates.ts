import type { ProposalTemplate } from '../resources/proposal-templates.ts';
import { findBookEntry, listBookEntries } from './book-entries.ts';
import type { TableReader } from './client.ts';
import type { Viewer } from './viewer.ts';

/**
 * A viewer of one organization sees its own and those of the account (`OrganizationId` 0); one of the account (`null`)
 * sees all.
 */
const sees = ({ organizationId }: Viewer, { OrganizationId }: ProposalTemplate): boolean =>
  organizationId === null || OrganizationId === 0 || OrganizationId === organizationId;

/**
 * The proposal templates that the viewer sees, by id, whole as their resource; also those no longer active. One round.
 */
export const listProposalTemplates = async (table: TableReader, viewer: Viewer): Promise<ProposalTemplate[]> =>
  [...(await listBookEntries(table, viewer.accountId, 'proposalTemplates')).values()].filter((template) =>
    sees(viewer, template),
  );

/** The proposal template, where it exists for the viewer. */
export async function findProposalTemplate(
  table: TableReader,
  viewer: Viewer,
  id: number,
): Promise<ProposalTemplate | undefined> {
  const template = await findBookEntry(table, viewer.accountId, 'proposalTemplates', id);
  return template && sees(viewer, template) ? template : undefined;
}
