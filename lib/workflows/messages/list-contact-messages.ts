import type { MessageRecord } from '../../entities/messages.ts';
import { listAllMerges } from '../../store/contacts/merges.ts';
import { listAllMessages } from '../../store/messages.ts';
import type { StoreReader } from '../../store/store.ts';

/** The contact, and those that were merged into it: their messages stay where the services report about them. */
export const listContactsOf = async (store: StoreReader, contactId: number): Promise<readonly number[]> => [
  contactId,
  ...(await listAllMerges(store, contactId)).map(({ MergedId }) => MergedId),
];

/** All messages of a contact and of those merged into it, oldest first. */
export async function listMessagesOf(store: StoreReader, contactId: number): Promise<readonly MessageRecord[]> {
  const contacts = await listContactsOf(store, contactId);
  const lists = await Promise.all(contacts.map((contact) => listAllMessages(store, contact)));
  return lists.flat().sort((one, other) => one.Due - other.Due);
}
