import type { ContactRecord } from '../../../lib/domain/contacts/record.ts';
import { homeOrganization } from '../../../lib/store/accounts.ts';
import { lookUp } from '../../../lib/store/contact-lookup.ts';
import { upsertContacts } from '../../../lib/store/contact-upsert.ts';
import type { Target } from './section.ts';

/**
 * `Jane Doe <jane@example.com>`, or with a phone number: by what another account finds the contact. `""` when there is
 * no such thing.
 */
export function contactText({ Name, Email, Phone }: ContactRecord): string {
  if (Email) return Name ? `${Name} <${Email}>` : Email;
  return Name && Phone ? `${Name} <${Phone}>` : '';
}

function given(text: string): { Name?: string; Email?: string; Phone?: string } {
  const [, name = '', within = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const Name = name ? { Name: name } : {};
  return within.includes('@') ? { ...Name, Email: within.trim() } : name ? { ...Name, Phone: within.trim() } : {};
}

/** The contact that a text names, made when new; it needs an organization then. */
export async function bringContact(
  { table, account, now }: Target,
  text: string,
  organizationId: number | undefined,
): Promise<ContactRecord | { readonly message: string }> {
  const contact = given(text);
  if (!contact.Email && !contact.Phone)
    return { message: 'must be like `Jane Doe <jane@example.com>`, or with a phone number' };
  const viewer = { accountId: account, organizationId: null };
  const organization = await homeOrganization(table, viewer, now);
  const { found } = await lookUp(table, viewer, contact, { organization, criteria: undefined });
  const [only] = found;
  if (found.length > 1) return { message: `fits ${found.length} contacts` };
  if (only) return only;
  if (organizationId === undefined)
    return { message: 'is nobody there is: name the organization too, and the contact is made' };
  const upsert = await upsertContacts(
    table,
    viewer,
    [{ given: { ...contact, OrganizationId: organizationId }, criteria: undefined, distribute: false }],
    now,
  );
  if (upsert.kind !== 'ready')
    return {
      message:
        upsert.kind === 'faults'
          ? `cannot be made a contact: ${upsert.faults.map(({ field, message }) => `${field} ${message}`).join(', ')}`
          : 'is not clear',
    };
  await table.commit(upsert.changes);
  return upsert.records[0] ?? { message: 'is not clear' };
}
