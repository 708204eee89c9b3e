import type { Context } from '../../lib/api/context.ts';
import { invalid, notFound } from '../../lib/api/failure.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { PaymentInput } from '../../lib/domain/payments/merge.ts';
import { onlyOrganization } from '../../lib/store/accounts.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { findInvoice, findInvoiceNumber } from '../../lib/store/invoices.ts';

type Reading = Context<'table:read'>;

/** The organization in which an InvoiceNumber counts: the key's, else the account's only one, else the contact's. */
async function organizationOf({ table, caller, now }: Reading, { ContactId }: PaymentInput): Promise<number> {
  const known = caller.organizationId ?? (await onlyOrganization(table, caller.accountId, now));
  if (known !== undefined) return known;
  if (!ContactId)
    throw invalid({
      Field: 'Payment.InvoiceNumber',
      Message: 'may be of several organizations of the account: name the invoice by InvoiceId, or its ContactId too',
    });
  const contact = await findContact(table, caller, ContactId);
  if (!contact) throw notFound('contact', 'Payment.ContactId', ContactId);
  return contact.OrganizationId;
}

/** The invoice that a payment names by its id, else by its number; 404 where there is none for the caller. */
export async function namedInvoice(context: Reading, given: PaymentInput): Promise<InvoiceRecord> {
  const { table, caller } = context;
  const number = given.InvoiceNumber?.trim() ?? '';
  const id =
    given.InvoiceId ||
    (await findInvoiceNumber(table, caller.accountId, await organizationOf(context, given), number));
  const invoice = id ? await findInvoice(table, caller, id) : undefined;
  if (!invoice)
    throw given.InvoiceId
      ? notFound('invoice', 'Payment.InvoiceId', given.InvoiceId)
      : notFound('invoice', 'Payment.InvoiceNumber', number);
  return invoice;
}
