import { InvoiceStatus, InvoiceType, Invoice } from '../../lib/entities/invoices.ts';
import { operation } from '../../lib/api/operation.ts';
import { invoiceToResource } from '../../lib/domain/invoices/record.ts';
import { described, extension, flag, id, int32, many, text } from '../../lib/resources/fields.ts';
import { PAGES, dateFields, dateFilter, pageFields, pageOf, updatedFields } from '../../lib/resources/queries.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { findClientLinks } from '../../lib/store/links.ts';
import { findTakesPayments } from '../../lib/store/payment-providers.ts';
import { queryInvoices } from '../../lib/store/sales/invoices.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';
import { findNumberedInvoiceId } from '../../lib/workflows/invoices/numbered-invoice.ts';
import { loadInvoiceContacts } from '../../lib/workflows/invoices/load-invoice-contacts.ts';

const NAMES = { prefix: '', instead: 'use a key of the organization' };

export const query = operation({
  title: 'List invoices',
  summary: 'Lists the invoices that meet every criterion, by date, then id.',
  rules: [
    'FromDate and ThroughDate apply to Date.',
    'InvoiceNumber is the whole number; case does not count. It is looked up in the organization of the key, else in ' +
      'the only one of the account, else in that of ContactId, which a key of the account adds.',
    ...PAGES,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    ...dateFields(),
    ...updatedFields(),
    ContactId: id(),
    Status: Invoice.shape().Status,
    InvoiceType: Invoice.shape().InvoiceType,
    InvoiceNumber: extension(described(text(100), 'Only the invoice with this Number.')),
    ...pageFields(),
    IncludeContact: described(flag(), 'Includes the Contact of each.'),
    IncludeAssociatedAppointmentIds: described(flag(), 'Includes AssociatedAppointmentIds, which are [] otherwise.'),
  }),
  response: () => ({ Count: int32(0), Invoices: many(Invoice) }),
  example: { FromDate: '2026-03-01', ThroughDate: '2026-03-31', Status: 'Open', InvoiceType: 'Standard' },
  async run(request, context) {
    const { store, caller, now } = context;
    const { Timezone } = await callerOrganization(store);
    const date = parseTimeSpan(['FromDate', 'ThroughDate'], request, Timezone);
    const updated = parseTimeSpan(['UpdatedFrom', 'UpdatedThrough'], request, Timezone);
    const errors = [...date.errors, ...updated.errors];
    if (errors.length) throw invalid(...errors);
    const number = request.InvoiceNumber?.trim();
    const id = number ? await findNumberedInvoiceId(request, NAMES, context) : undefined;
    if (number && id === undefined) return { Count: 0, Invoices: [] };
    const criteria = {
      id,
      contact: request.ContactId ?? undefined,
      status: request.Status ? InvoiceStatus[request.Status] : undefined,
      type: request.InvoiceType ? InvoiceType[request.InvoiceType] : undefined,
      date: date.span,
      updated: updated.span,
      ...pageOf(request),
    };
    const { count, invoices } = await boundedQuery(dateFilter(request), () => queryInvoices(store, criteria, now));
    const [contacts, link, takesPayments] = await Promise.all([
      loadInvoiceContacts(context, invoices, request.IncludeContact),
      findClientLinks(store, caller.role, now),
      findTakesPayments(store),
    ]);
    const associated = request.IncludeAssociatedAppointmentIds ?? false;
    return {
      Count: count,
      Invoices: invoices.map((invoice) =>
        invoiceToResource(invoice, {
          associated,
          link,
          takesPayments,
          contact: contacts.get(invoice.ContactId) ?? null,
        }),
      ),
    };
  },
});
