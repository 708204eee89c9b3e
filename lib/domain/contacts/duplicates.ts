import { splitWords } from '../../shared/text.ts';
import type { ContactError } from './apply-input.ts';
import type { ContactRecord } from './record.ts';
import { searchKeys } from './search.ts';

/** A contact as it was, where there was one, and as it will be. */
interface Step {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
}

/**
 * By what later calls would find the contact: its e-mail, or without one its phone together with its name. Several
 * people may share a phone.
 */
function identityOf(contact: ContactRecord): { field: string; key: string } | undefined {
  const { email, phone } = searchKeys(contact);
  const name = splitWords(contact.Name).join(' ');
  if (email) return { field: 'Email', key: `e-mail ${email}` };
  return phone && name ? { field: 'Phone', key: `phone ${phone} ${name}` } : undefined;
}

/**
 * Contacts of one call that are one and the same: two that change one contact, or a new one that another of the call
 * would be found as. `index` is the place of the later one.
 */
export function findDuplicates(steps: readonly Step[]): (ContactError & { readonly index: number })[] {
  const changed = new Map<number, number>();
  const identities = new Map<string, number>();
  const fault = (index: number, field: string, first: number) => ({
    index,
    field,
    message: `is also that of contact ${first + 1} of this call`,
  });
  return steps.flatMap(({ before, after }, index) => {
    const same = before && changed.get(before.Id);
    if (before) changed.set(before.Id, same ?? index);
    const identity = identityOf(after);
    const first = identity && identities.get(identity.key);
    if (identity) identities.set(identity.key, first ?? index);
    if (same !== undefined) return [fault(index, 'Id', same)];
    const meets = identity && first !== undefined && (!before || !steps[first]?.before);
    return meets ? [fault(index, identity.field, first)] : [];
  });
}
