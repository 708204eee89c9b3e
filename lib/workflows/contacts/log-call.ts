import { parseCall } from '../../domain/calls.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { normalizePhone } from '../../shared/phones.ts';
import { callerOrganization } from '../../store/accounts.ts';
import { searchContacts } from '../../store/contact-search.ts';
import { callChanges, findContact } from '../../store/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { RangeTooLarge } from '../../store/dynamodb/errors.ts';
import type { WriteContext } from '../context.ts';

/** Stores a call record, attached to the contact that it names or to the only one with its phone, if one exists. */
export async function logCall(
  text: string,
  context: WriteContext,
): Promise<{ callId: number; contact: ContactRecord | undefined; changes: readonly Change[] }> {
  const { table, caller, now } = context;
  const call = parseCall(text);
  const organization = await callerOrganization(table, caller, now);
  const contact = call.ContactId
    ? await findContact(table, caller, call.ContactId)
    : await findOnlyContact(call.Phone && normalizePhone(call.Phone, organization.Country), context);
  const { id, change } = await callChanges(table, caller.accountId, {
    ...call,
    ContactId: contact?.Id ?? null,
    OrganizationId: contact?.OrganizationId ?? organization.Id,
    now,
  });
  return { callId: id, contact, changes: [change] };
}

/** The contact with a phone, if only one has it. */
async function findOnlyContact(
  phone: string | null,
  { table, caller: { accountId, organizationId } }: WriteContext,
): Promise<ContactRecord | undefined> {
  if (!phone) return undefined;
  const criteria = { phone, ...(organizationId === null ? {} : { organizationId }) };
  try {
    const [contact, ...others] = await searchContacts(table, accountId, criteria, { skip: 0, limit: 2 });
    return others.length ? undefined : contact;
  } catch (error) {
    if (error instanceof RangeTooLarge) return undefined;
    throw error;
  }
}
