import { isErased } from '../../entities/erased-contacts.ts';
import { contactEntity } from '../../entities/contacts.ts';
import { endedBefore, listEntriesUnderWay, nextVersion, unclaimedOf } from '../../store/contacts/contact-entries.ts';
import { listFormerEntries } from '../../store/contacts/former-entries.ts';
import { unchangedItem } from '../../store/derived-items.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import { type EntityName, entityAt } from '../../store/entities.ts';
import { type Key, layout, toKey } from '../../store/keys.ts';
import type { Problem } from './problem.ts';
import type { StoreReader } from '../../store/store.ts';

/** Entries that find a contact by its current values: its contact must claim each of them. */
const entries: ReadonlySet<EntityName> = new Set([
  layout.contactHash.entity,
  layout.contactTracking.entity,
  layout.contactName.entity,
  layout.contactAddress.entity,
  layout.contactTag.entity,
  layout.contactCategory.entity,
  layout.contactEmailProblem.entity,
  layout.contactCredit.entity,
  layout.contactCreated.entity,
  layout.contactNoteAge.entity,
  layout.contactLink.entity,
]);

/** Numbered entries: that of a former e-mail or phone stays, because its number guards against duplicates. */
const guards: ReadonlySet<EntityName> = new Set([layout.contactEmail.entity, layout.contactPhone.entity]);

const isIn = (kinds: ReadonlySet<EntityName>, key: Key): boolean => kinds.has(entityAt(key) ?? '');

export const isContactEntry = (key: Key): boolean => isIn(entries, key) || isIn(guards, key);

const contactKey = (account: string, { Id }: Item): Key => layout.contact.key({ account, id: Id as number });

/** Whether an entry has no contact, or one that no longer has its value. */
function isUnclaimed(account: string, entry: Item, contact: Item | undefined): boolean {
  if (isIn(guards, entry)) return !contact || isErased(contact);
  return unclaimedOf({ account }, contact, [entry]).length > 0;
}

/** The entries of an account that must be examined, found in two rounds for all of them. */
export async function findUnclaimedEntries(
  { table, account }: StoreReader,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  const stored = keys.length ? await table.getMany(keys) : [];
  const owners = new Map(stored.map((entry) => [contactKey(account, entry).PK, contactKey(account, entry)]));
  const contacts = owners.size ? await table.getMany([...owners.values()]) : [];
  const byPartition = new Map(contacts.map((contact) => [contact.PK, contact]));
  return stored
    .filter((entry) => isUnclaimed(account, entry, byPartition.get(contactKey(account, entry).PK)))
    .map(toKey);
}

/**
 * An entry that its contact does not claim, that no change leaves behind by design, and that belongs to no call under
 * way.
 */
export async function examineEntry(store: StoreReader, key: Key, now: Date): Promise<Problem[]> {
  const { table, account } = store;
  const entry = await table.get(key);
  if (!entry) return [];
  const owner = contactKey(account, entry);
  const contact = await table.get(owner);
  if (!isUnclaimed(account, entry, contact)) return [];
  const isGone = !contact || isErased(contact);
  const known = [
    ...(isGone ? [] : await listFormerEntries(store, contactEntity.read(contact))),
    ...(await listEntriesUnderWay(store, endedBefore(now))),
  ];
  if (known.some(({ PK, SK }) => PK === key.PK && SK === key.SK)) return [];
  const changes: Change[] = [
    { remove: toKey(key), if: unchangedItem(entry) },
    !contact
      ? { check: owner, if: 'absent' }
      : isGone
        ? { check: owner, if: { equals: { V: contact['V'] } } }
        : nextVersion(contact),
  ];
  const message = !contact
    ? `is of ${owner.PK}, which does not exist`
    : isGone
      ? `is of ${owner.PK}, which is erased`
      : `is not of ${owner.PK}`;
  return [{ kind: 'entry', key: toKey(key), message, repair: { message: 'removes it', changes } }];
}
