import type { Caller } from '../../store/caller.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import { invalid, notFound } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts.ts';
import { findContact } from '../../store/contacts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { getRecentOrganization } from '../../store/organizations.ts';

/** The organization that a task belongs to: its contact's; without a contact the key's own, or the account's only one. */
export async function loadTaskOrganization(
  table: TableReader,
  caller: Caller,
  contactId: number | null,
  now: Date,
): Promise<OrganizationRecord> {
  if (contactId !== null) {
    const contact = await findContact(table, caller, contactId);
    if (!contact) throw notFound('contact', 'ContactId', contactId);
    return getRecentOrganization(table, caller.accountId, contact.OrganizationId, now);
  }
  const id = caller.organizationId ?? (await findOnlyOrganization(table, caller.accountId, now));
  if (id === undefined)
    throw invalid({
      field: 'ContactId',
      message: 'is required, because the account has several organizations and the key is bound to none of them',
    });
  return getRecentOrganization(table, caller.accountId, id, now);
}
