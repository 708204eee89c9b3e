import type { OrganizationRecord } from '../../entities/organizations.ts';
import { invalid } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';

/** The organization of a task: its contact's; without a contact the key's, or the only one of the account. */
export async function loadTaskOrganization(
  contactId: number | null,
  context: ReadContext,
): Promise<OrganizationRecord> {
  const { table, caller } = context;
  const id =
    contactId === null
      ? (caller.organizationId ?? (await findOnlyOrganization(table, caller.accountId)))
      : (await loadContact(context, contactId)).OrganizationId;
  if (id === undefined) {
    const message = 'is required, because the account has several organizations and the key belongs to none of them';
    throw invalid({ field: 'ContactId', code: 'required', message });
  }
  return getOrganization(table, caller.accountId, id);
}
