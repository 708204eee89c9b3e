import type { ContactRecord } from '../../entities/contacts.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import { statesOf } from '../../domain/contacts/merged-states.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { listIdChunks } from '../../store/dynamodb/records.ts';
import type { ContactUpsert, PlanContext } from '../contacts/match-contacts.ts';
import { type UpsertPlan, planUpserts } from '../contacts/save-contacts.ts';
import type { StorePager, StoreReader } from '../../store/store.ts';

/** A contact of another system, with its id there as DigitalTrackingId. */
export type ReferencedContact = ContactInput & { readonly DigitalTrackingId: string };

interface ImportContext extends PlanContext {
  /** The organization of new contacts; defaults to the owner of their postal code. */
  readonly organization: number | undefined;
}

/** The contact that an earlier import made from a client of the other system. */
export async function findReferenced(store: StorePager, tracking: string): Promise<ContactRecord | undefined> {
  const { records } = await searchContacts(store, { tracking }, { skip: 0, limit: 1 });
  return records[0];
}

/**
 * The contacts of the account whose DigitalTrackingId begins with `prefix`, oldest first; a merged contact in its
 * former state, with the Id of the contact that it became.
 */
export async function* listReferenced(store: StoreReader, prefix: string): AsyncGenerator<ContactRecord> {
  for await (const ids of listIdChunks(store, 'Contact')) {
    const contacts = await findContacts(store, ids);
    yield* contacts.flatMap(statesOf).filter(({ DigitalTrackingId }) => DigitalTrackingId.startsWith(prefix));
  }
}

/** The contacts of earlier imports, keyed by position in `contacts`; `ids` has those that the run has found. */
async function findBefore(
  contacts: readonly ReferencedContact[],
  ids: ReadonlyMap<string, number>,
  context: ImportContext,
): Promise<(ContactRecord | undefined)[]> {
  const met = contacts.flatMap(({ DigitalTrackingId }) => ids.get(DigitalTrackingId) ?? []);
  const known = await findContacts(context.store, [...new Set(met)]);
  const byReference = new Map(known.map((contact) => [contact.DigitalTrackingId, contact]));
  return Promise.all(
    contacts.map(
      ({ DigitalTrackingId }) => byReference.get(DigitalTrackingId) ?? findReferenced(context.store, DigitalTrackingId),
    ),
  );
}

/**
 * Adds or updates the contacts of clients of another system, each by its id there. A client without an imported contact
 * may match a contact from no other system: the one with its e-mail, or without one with its phone and name. A contact
 * with another id of that system is somebody else. Notes are added once, with the id. The changes are for one
 * transaction; an unchanged contact has none.
 */
export async function planClients(
  contacts: readonly ReferencedContact[],
  ids: ReadonlyMap<string, number>,
  context: ImportContext,
): Promise<UpsertPlan> {
  const { organization: OrganizationId } = context;
  const found = await findBefore(contacts, ids, context);
  const upserts = contacts.map(({ Notes, ...fields }, index): ContactUpsert => {
    const before = found[index];
    if (before) return { input: { ...fields, Id: before.Id }, criteria: undefined, distribute: false, before };
    const input = { ...fields, ...(Notes ? { Notes } : {}) };
    return {
      input: OrganizationId === undefined ? input : { ...input, OrganizationId },
      criteria: undefined,
      distribute: OrganizationId === undefined ? 'always' : false,
      mayBe: ({ DigitalTrackingId }) => !DigitalTrackingId,
    };
  });
  return planUpserts(upserts, context);
}
