import type { Context } from '../../api/context.ts';
import {
  type InvoiceInput,
  invoiceContent,
  applyInvoiceInput,
  lineReferences,
  countNewLines,
} from '../../domain/invoices/apply-input.ts';
import { resolveRate, rateSource } from '../../domain/invoices/tax-rate.ts';
import { blankInvoice } from '../../domain/invoices/record.ts';
import { isInitialStatus } from '../../domain/invoices/status.ts';
import { figureConflicts } from '../../domain/invoices/totals.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { type FieldError, prefixErrors } from '../../shared/field-errors.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { findContact } from '../../store/contacts.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { requestFingerprint } from '../../store/idempotency.ts';
import { findInvoice, findInvoiceIdByNumber, findFreeNumber } from '../../store/invoices.ts';
import { getRecentOrganization } from '../../store/organizations.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { linkErrors, loadLinks, loadLineReferences } from './load-links.ts';
import { type ImportedInvoice, importedInvoiceChanges } from './store-invoice.ts';

type Writing = Context<'table:write'>;

const statusFaults = ({ Status }: InvoiceInput): FieldError[] =>
  isInitialStatus(Status)
    ? []
    : [{ field: 'Status', message: `must be Unapproved or Open for a new invoice, not ${Status}` }];

/**
 * What else is at fault of an invoice that says of nobody, or of two, whom it is for; without what has to be looked up.
 */
function otherFaults(input: InvoiceInput): FieldError[] {
  const nobody = { Id: 0, OrganizationId: 0, ContactId: 0 };
  const blank = blankInvoice({ ...nobody, Number: '', HashKey: '', Zone: 'UTC', Created: 0 });
  const { rate, errors } = resolveRate(undefined, { TaxRate: input.TaxRate ?? 0 }, { rates: [], contactRateId: null });
  const Lines = input.Lines?.map(({ ServiceId: _service, PartId: _part, ...line }) => line);
  const records = { services: new Map<number, string>(), parts: new Map<number, string>() };
  const merged = applyInvoiceInput(blank, { ...input, Lines }, { rate, lineIds: [], records, now: 0 });
  return [...statusFaults(input), ...errors, ...merged.errors];
}

/** The contact that an invoice is for; typed clients may send it whole. */
function contactIdOf(input: InvoiceInput): number {
  const { ContactId, Contact } = input;
  const id = ContactId || Contact?.Id;
  const another = { field: 'Contact.Id', message: `is another than ContactId, which is ${id}` };
  if (id && (!Contact?.Id || Contact.Id === id)) return id;
  const fault = id ? another : { field: 'ContactId', message: 'is required' };
  throw invalid(...prefixErrors('Invoice', [fault, ...otherFaults(input)]));
}

/** The invoice that has the number already, where it was made by the very same content; 409 otherwise. */
async function repeated(
  { table, caller }: Writing,
  id: number,
  { number, fingerprint }: { readonly number: string; readonly fingerprint: string },
): Promise<ImportedInvoice> {
  const invoice = await findInvoice(table, caller, id);
  if (invoice?.Fingerprint !== fingerprint)
    throw conflict(
      `Number ${JSON.stringify(number)} is that of invoice ${id}, which was made with other content. ` +
        'Name it by InvoiceId to change it.',
    );
  return { invoice, changes: [], message: `Invoice ${id} was made by this very import before; nothing was changed.` };
}

/**
 * Makes an invoice. Three rounds: what it names; whether its number is free; the commit. Two imports of one number at
 * the same moment meet at its guard, and the second runs again and finds the first.
 */
export async function createInvoice(input: InvoiceInput, context: Writing): Promise<ImportedInvoice> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const contactId = contactIdOf(input);
  const lines = input.Lines ?? [];
  const [contact, linked, records, rates] = await Promise.all([
    findContact(table, caller, contactId),
    loadLinks(table, caller, input),
    loadLineReferences(table, caller, lineReferences([], lines)),
    rateSource(undefined, input) === 'given'
      ? []
      : listRecentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    prefetchIds(table, accountId, 'Invoice', 1),
    prefetchIds(table, accountId, 'InvoiceLine', countNewLines(lines)),
  ]);
  if (!contact) throw notFound('contact', 'Invoice.ContactId', contactId);
  const { OrganizationId } = contact;
  const number = input.Number?.trim();
  const leased = async () => {
    const [Id = 0] = await reserveIds(table, accountId, 'Invoice', 1);
    return { Id, Number: number || (await findFreeNumber(table, accountId, OrganizationId, Id)) };
  };
  const [organization, held, own] = await Promise.all([
    getRecentOrganization(table, accountId, OrganizationId, now),
    number ? findInvoiceIdByNumber(table, accountId, OrganizationId, number) : undefined,
    number ? undefined : leased(),
  ]);
  const fingerprint = number ? requestFingerprint('invoice/import', { content: invoiceContent(input) }) : '';
  if (held !== undefined && number) return repeated(context, held, { number, fingerprint });
  const { rate, errors } = resolveRate(undefined, input, { rates, contactRateId: contact.NamedTaxRateId });
  const blank = blankInvoice({
    ...(own ?? (await leased())),
    OrganizationId,
    ContactId: contactId,
    HashKey: randomHandle(22),
    Zone: organization.Timezone,
    Created: now.getTime(),
    Fingerprint: fingerprint,
  });
  const lineIds = await reserveIds(table, accountId, 'InvoiceLine', countNewLines(lines));
  const merged = applyInvoiceInput(blank, input, { rate, lineIds, records, now: now.getTime() });
  const all = [...statusFaults(input), ...errors, ...linkErrors(linked, contactId), ...merged.errors];
  if (all.length) throw invalid(...prefixErrors('Invoice', all));
  const differing = figureConflicts(merged.invoice, input);
  if (differing.length) throw conflict(`${differing.join('; ')}. Nothing was stored.`);
  const { record, changes } = await importedInvoiceChanges(context, {
    before: undefined,
    after: merged.invoice,
    linked,
  });
  return { invoice: record, changes };
}
