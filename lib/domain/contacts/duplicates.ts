import type { ContactRecord } from '../../entities/contacts.ts';
import type { IndexedError } from '../../shared/field-errors.ts';
import { personName, searchKeys } from './search.ts';

/**
 * What a later call would find the contact by: its e-mail, or without one its phone together with its name. Several
 * people may share a phone.
 */
function identityOf(contact: ContactRecord): { field: string; key: string } | undefined {
  const { email, phone } = searchKeys(contact);
  const name = personName(contact);
  if (email) return { field: 'Email', key: `e-mail ${email} ${contact.OrganizationId}` };
  return phone && name ? { field: 'Phone', key: `phone ${phone} ${contact.OrganizationId} ${name}` } : undefined;
}

/**
 * Contacts of one call that are the same contact: two updates of one contact, or a new contact that another one of the
 * call would be found as. `index` is that of the later one.
 */
export function findDuplicates(
  writes: readonly { readonly before: ContactRecord | undefined; readonly after: ContactRecord }[],
): IndexedError[] {
  const indexById = new Map<number, number>();
  const indexByIdentity = new Map<string, number>();
  const duplicate = (index: number, field: string, original: number): IndexedError[] => [
    { index, field, code: 'duplicate', message: `is the same as in contact ${original + 1} of this call` },
  ];
  return writes.flatMap(({ before, after }, index) => {
    const sameId = before && indexById.get(before.Id);
    if (before) indexById.set(before.Id, sameId ?? index);
    const identity = identityOf(after);
    const sameIdentity = identity && indexByIdentity.get(identity.key);
    if (identity) indexByIdentity.set(identity.key, sameIdentity ?? index);
    if (sameId !== undefined) return duplicate(index, 'Id', sameId);
    // Two contacts that both exist may come to share an e-mail or phone.
    const oneIsNew = sameIdentity !== undefined && (!before || !writes[sameIdentity]?.before);
    return identity && oneIsNew ? duplicate(index, identity.field, sameIdentity) : [];
  });
}
