import type { OrganizationRecord } from '../../entities/organizations.ts';
import { invalid } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';

interface TaskOwner {
  readonly contactId: number | null;
  readonly organization: OrganizationRecord;
}

/**
 * The contact that a task's ContactId refers to, and the organization of the task: the contact's; without a contact the
 * key's, or the only one of the account.
 */
export async function loadTaskOwner(contactId: number | null, context: ReadContext): Promise<TaskOwner> {
  const { store, caller } = context;
  const contact = contactId === null ? undefined : await loadContact(context, contactId);
  const id = contact?.OrganizationId ?? caller.organizationId ?? (await findOnlyOrganization(store));
  if (id === undefined) {
    const message = 'is required, because the account has several organizations and the key belongs to none of them';
    throw invalid({ field: 'ContactId', code: 'required', message });
  }
  return { contactId: contact?.Id ?? null, organization: await getOrganization(store, id) };
}
