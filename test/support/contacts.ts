import { type ContactRecord, contactEntity } from '../../lib/entities/contacts.ts';
import { type Change, type Item, partChanges } from '../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';

/** A new contact with a name, as the table keeps it. */
export const someContact = (Id: number, input: Partial<ContactRecord> = {}): ContactRecord => ({
  ...contactEntity.blank({ Id, Hash: `hash-${Id}`, OrganizationId: 1, LocationID: '', Created: Date.UTC(2026, 2, 8) }),
  Name: `Contact ${Id}`,
  V: 1,
  ...input,
});

/** The item of a contact, without the index entries that a real call writes beside it. */
export const contactItem = (account: string, contact: ContactRecord): Item => ({
  ...layout.contact.key({ account, id: contact.Id }),
  E: 'Contact',
  ...contact,
});

/** Stores a contact alone. */
export const putContact = (table: TableWriter, account: string, contact: ContactRecord): Promise<void> =>
  table.commit([{ put: contactItem(account, contact) }]);

/** What changes put, in their transaction and ahead of it. */
export function putsOf(changes: readonly Change[]): Item[] {
  const { transaction, ahead } = partChanges(changes);
  return [
    ...ahead.flatMap(({ items }) => items),
    ...transaction.flatMap((change) => ('put' in change ? [change.put] : [])),
  ];
}
