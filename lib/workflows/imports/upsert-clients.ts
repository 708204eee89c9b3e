import type { ContactRecord } from '../../entities/contacts.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import { type ContactCriteria, personName } from '../../domain/contacts/search.ts';
import { normalizeEmail } from '../../shared/text/emails.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { MAX_CANDIDATES, type ContactUpsert, type PlanContext } from '../contacts/match-contacts.ts';
import { type UpsertPlan, planUpserts } from '../contacts/save-contacts.ts';

/** A contact of another system; its DigitalTrackingId is its id there. */
export type ReferencedContact = ContactInput & { readonly DigitalTrackingId: string };

interface ImportContext extends PlanContext {
  /** Of phone numbers without a calling code. */
  readonly country: string;
  /** Of contacts that are new; without it the owner of their postal code. */
  readonly organization: number | undefined;
}

/** The contact that an earlier import made of a client of the other system. */
export async function findReferenced(
  { table, caller }: PlanContext,
  tracking: string,
): Promise<ContactRecord | undefined> {
  const { records } = await searchContacts(table, caller.accountId, { tracking }, { skip: 0, limit: 1 });
  return records[0];
}

/**
 * The contacts of an account that may be the same person and come from nowhere else: those with its e-mail, or without
 * one with its phone and name. A contact that has an id of the other system is somebody else.
 */
async function findUnreferenced(
  { table, caller, country, organization }: ImportContext,
  { Email, Phone, Name }: ContactInput,
): Promise<readonly ContactRecord[]> {
  const phone = Phone ? normalizePhone(Phone, country) : null;
  const criteria: ContactCriteria | undefined = Email
    ? { email: normalizeEmail(Email) }
    : phone && Name
      ? { phone }
      : undefined;
  if (!criteria) return [];
  const own = organization === undefined ? criteria : { ...criteria, organizationId: organization };
  const { records } = await searchContacts(table, caller.accountId, own, { skip: 0, limit: MAX_CANDIDATES });
  const isPerson = (contact: ContactRecord) =>
    Boolean(Email) || personName(contact) === personName({ Name: Name ?? '' });
  return records.filter((contact) => !contact.DigitalTrackingId && isPerson(contact));
}

/**
 * Adds or updates the contacts of clients of another system, each by its id there. Notes are added once, with the id.
 * The changes are for one transaction; a contact that does not change has none.
 */
export async function planClients(contacts: readonly ReferencedContact[], context: ImportContext): Promise<UpsertPlan> {
  const upserts = await Promise.all(contacts.map((contact) => toUpsert(contact, context)));
  const several = upserts.findIndex(({ candidates }) => candidates.length > 1);
  if (several >= 0) return { kind: 'ambiguous', index: several, candidates: upserts[several]?.candidates ?? [] };
  return planUpserts(
    upserts.map(({ upsert }) => upsert),
    context,
  );
}

async function toUpsert(
  contact: ReferencedContact,
  context: ImportContext,
): Promise<{ upsert: ContactUpsert; candidates: readonly ContactRecord[] }> {
  const { Notes, ...fields } = contact;
  const OrganizationId = context.organization;
  const before = await findReferenced(context, contact.DigitalTrackingId);
  if (before)
    return { upsert: { input: { ...fields, Id: before.Id }, criteria: undefined, distribute: false }, candidates: [] };
  const candidates = await findUnreferenced(context, contact);
  const [only] = candidates;
  const input = { ...fields, ...(Notes ? { Notes } : {}) };
  const upsert = only
    ? { input: { ...input, Id: only.Id }, criteria: undefined, distribute: false }
    : {
        input: OrganizationId === undefined ? input : { ...input, OrganizationId },
        criteria: undefined,
        distribute: OrganizationId === undefined,
        isNew: true,
      };
  return { upsert, candidates };
}
