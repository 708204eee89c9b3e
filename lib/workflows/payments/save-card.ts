import type { CheckoutPurpose, SavedCard } from '../../payments/provider.ts';
import { findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { WriteContext } from '../context.ts';

/** The changes that store the card a client saved at the provider; none where a later one is stored. */
export async function saveCard(
  { purpose, card }: { readonly purpose: CheckoutPurpose; readonly card: SavedCard },
  { table, caller, now }: WriteContext,
): Promise<readonly Change[]> {
  const before = await findContact(table, caller, purpose.id);
  if (!before || before.OrganizationId !== purpose.organization || (before.PmtOnFileSavedAt ?? 0) >= card.at) return [];
  const after = {
    ...before,
    PmtOnFileKind: card.kind,
    PmtOnFileLast4: card.last4,
    PmtOnFileExpDate: card.expires,
    PmtOnFileCustomer: card.customer,
    PmtOnFileSavedAt: card.at,
  };
  return updateContactChanges(caller.accountId, { before, after, now });
}
