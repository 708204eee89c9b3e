import type { ContactRecord } from '../../entities/contacts.ts';
import { type ContactLine } from '../../domain/contacts/contact-line.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findMatches } from './match-contacts.ts';
import { planUpserts } from './save-contacts.ts';
import type { StoreWriter } from '../../store/store.ts';

/** The contact with the changes that create it, or why the line is ambiguous. */
type FoundContact =
  | { readonly kind: 'found'; readonly contact: ContactRecord; readonly changes: readonly Change[] }
  | { readonly kind: 'invalid'; readonly message: string };

/** The only contact of the account that a line matches, in any organization; a new one needs an organization. */
export async function findOrCreateContact(
  line: ContactLine,
  organizationId: number | undefined,
  { store, now }: { readonly store: StoreWriter; readonly now: Date },
): Promise<FoundContact> {
  const caller = { account: store.account, organizationId: null };
  const defaultOrganization = await callerOrganization(store);
  const context = { store, caller, now, defaultOrganization, onlyOrganizationId: organizationId };
  const { candidates } = await findMatches(line, undefined, context);
  if (candidates.length > 1) return { kind: 'invalid', message: `matches ${candidates.length} contacts` };
  if (candidates[0]) return { kind: 'found', contact: candidates[0], changes: [] };
  if (organizationId === undefined)
    return { kind: 'invalid', message: 'does not exist; name the organization too, and the contact is created' };
  const input = { ...line, OrganizationId: organizationId };
  const plan = await planUpserts([{ input, criteria: undefined, distribute: false }], context);
  if (plan.kind === 'invalid') {
    const reasons = plan.errors.map(({ field, message }) => `${field} ${message}`).join(', ');
    return { kind: 'invalid', message: `is not a valid contact: ${reasons}` };
  }
  const [contact] = plan.kind === 'ready' ? plan.records : [];
  if (plan.kind !== 'ready' || !contact) return { kind: 'invalid', message: 'matches several contacts' };
  return { kind: 'found', contact, changes: plan.changes };
}
