import type { Context } from '../../api/context.ts';
import {
  type InvoiceInput,
  applyInvoiceInput,
  lineReferences,
  countNewLines,
} from '../../domain/invoices/apply-input.ts';
import { resolveRate, rateSource } from '../../domain/invoices/tax-rate.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../domain/invoices/record.ts';
import { isBilling, importOutcome } from '../../domain/invoices/status.ts';
import { figureConflicts } from '../../domain/invoices/totals.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { prefixErrors } from '../../shared/field-errors.ts';
import { findContact } from '../../store/contacts.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice, findInvoiceIdByNumber, numberKey } from '../../store/invoices.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { linkErrors, requestedLinks, loadLinks, loadLineReferences } from './load-links.ts';
import { type ImportedInvoice, loadBilledWork, importedInvoiceChanges } from './store-invoice.ts';

type Writing = Context<'table:write'>;

/** The rates of the account and that of the contact, as far as the import asks for them. */
async function readRates({ table, caller, now }: Writing, before: InvoiceRecord, input: InvoiceInput) {
  const source = rateSource(before, input);
  const [rates, contact] = await Promise.all([
    source === 'named' || source === 'contact'
      ? listRecentSettings<NamedTaxRate>(table, caller.accountId, 'NamedTaxRate', now)
      : [],
    source === 'contact' ? findContact(table, caller, before.ContactId) : undefined,
  ]);
  return { rates, contactRateId: contact?.NamedTaxRateId ?? null };
}

/** What the invoice is of, as far as the import says something new of it, or bills it from now on. */
function linksToRead(before: InvoiceRecord, input: InvoiceInput) {
  const links = requestedLinks(before, input);
  if (isBilling(before)) return links;
  const { ProposalId = before.ProposalId, AppointmentId = before.AppointmentId } = input;
  return { ...links, ProposalId, AppointmentId };
}

/** Another number, where it is free in the organization. */
async function checkNumber({ table, caller }: Writing, before: InvoiceRecord, input: InvoiceInput): Promise<void> {
  const number = input.Number?.trim();
  const keyOf = (of: string) => numberKey(caller.accountId, before.OrganizationId, of).PK;
  if (!number || keyOf(number) === keyOf(before.Number)) return;
  const held = await findInvoiceIdByNumber(table, caller.accountId, before.OrganizationId, number);
  if (held !== undefined) throw conflict(`Number ${JSON.stringify(number)} is that of invoice ${held}.`);
}

/** Changes the invoice of an id, which the request names in `field`. Three rounds; two where nothing new is named. */
export async function changeInvoice(
  named: { readonly id: number; readonly field: string },
  input: InvoiceInput,
  context: Writing,
): Promise<ImportedInvoice> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const lines = input.Lines ?? [];
  const [before] = await Promise.all([
    findInvoice(table, caller, named.id),
    prefetchIds(table, accountId, 'InvoiceLine', countNewLines(lines)),
  ]);
  if (!before) throw notFound('invoice', named.field, named.id);
  const contactId = input.ContactId || input.Contact?.Id || before.ContactId;
  if (contactId !== before.ContactId)
    throw conflict(
      `Invoice ${before.Id} is one of contact ${before.ContactId} and stays that. ` +
        `Void it and import another for contact ${contactId}.`,
    );
  const isVoiding = input.Status === 'Voided' && before.Status !== InvoiceStatus.Voided;
  const [linked, records, known, billed] = await Promise.all([
    loadLinks(table, caller, linksToRead(before, input)),
    loadLineReferences(table, caller, lineReferences(before.Lines, lines)),
    readRates(context, before, input),
    loadBilledWork(context, before, isVoiding),
    checkNumber(context, before, input),
  ]);
  const { rate, errors } = resolveRate(before, input, known);
  const lineIds = await reserveIds(table, accountId, 'InvoiceLine', countNewLines(lines));
  const merged = applyInvoiceInput(before, input, { rate, lineIds, records, now: now.getTime() });
  const all = [...errors, ...linkErrors(linked, before.ContactId), ...merged.errors];
  if (all.length) throw invalid(...prefixErrors('Invoice', all));
  const differing = figureConflicts(merged.invoice, input);
  if (differing.length) throw conflict(`${differing.join('; ')}. Nothing was stored.`);
  const outcome = importOutcome(before, merged.invoice, input.Status ?? undefined);
  if (outcome.kind === 'refused') throw conflict(outcome.message);
  if (outcome.kind === 'same') return { invoice: before, changes: [] };
  const decided = { before, after: merged.invoice, linked, ...(isVoiding ? { billed } : {}) };
  const { record, changes } = await importedInvoiceChanges(context, decided);
  return { invoice: record, changes };
}
