import type { LinkedContacts } from '../domain/contacts/links.ts';
import type { ContactInput } from '../domain/contacts/merge.ts';
import type { TablePager } from './client.ts';
import { findContactByHash } from './contact-search.ts';
import { readContacts } from './contacts.ts';
import { isSeen, type Viewer } from './viewer.ts';

const nobody: LinkedContacts = { ids: new Set(), hashes: new Map() };

/**
 * The contacts that a request's contact names as referring or managing it, as far as the caller may see them. Two
 * rounds at most, none where it names none.
 */
export async function findLinked(
  table: TablePager,
  viewer: Viewer,
  { ReferredByContactId, ManagedByContactId, ReferredByHash }: ContactInput,
): Promise<LinkedContacts> {
  const hash = ReferredByHash?.trim();
  const ofHash = hash ? await findContactByHash(table, viewer.accountId, hash) : undefined;
  const ids = new Set([ReferredByContactId, ManagedByContactId, ofHash].filter((id) => typeof id === 'number'));
  if (!ids.size) return nobody;
  const contacts = await readContacts(table, viewer.accountId, [...ids]);
  const visible = contacts.filter((contact) => isSeen(viewer, contact));
  return { ids: new Set(visible.map(({ Id }) => Id)), hashes: new Map(visible.map(({ Hash, Id }) => [Hash, Id])) };
}
