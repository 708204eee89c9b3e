import { invalid } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { findInvoiceIdByNumber } from '../../store/sales/invoices.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';

/** A request that names an invoice by its number, which is unique in an organization. */
interface NumberedInvoice {
  readonly InvoiceNumber?: string | null | undefined;
  readonly ContactId?: number | null | undefined;
}

/**
 * The organization that an InvoiceNumber belongs to: the key's, else the account's only one, else the contact's. Errors
 * name the fields with `prefix`; `instead` is another way out.
 */
async function numberedOrganization(
  { ContactId }: NumberedInvoice,
  { prefix, instead }: { readonly prefix: string; readonly instead: string },
  context: ReadContext,
): Promise<number> {
  const { store, caller } = context;
  const only = caller.organizationId ?? (await findOnlyOrganization(store));
  if (only !== undefined) return only;
  if (!ContactId)
    throw invalid({
      field: `${prefix}InvoiceNumber`,
      code: 'ambiguous',
      message: `may exist in several organizations of the account: add ContactId, or ${instead}`,
    });
  return (await loadContact(context, ContactId, `${prefix}ContactId`)).OrganizationId;
}

/** The id of the invoice with a number; `undefined` if no invoice has it. */
export async function findNumberedInvoiceId(
  input: NumberedInvoice,
  names: { readonly prefix: string; readonly instead: string },
  context: ReadContext,
): Promise<number | undefined> {
  const organization = await numberedOrganization(input, names, context);
  return findInvoiceIdByNumber(context.store, { organization, number: input.InvoiceNumber?.trim() ?? '' });
}
