import type { Context } from '../../api/context.ts';
import { type InvoiceInput, mergeInvoice, namedThings, newLines } from '../../domain/invoices/apply-input.ts';
import { rateOfOfRates, rateSource } from '../../domain/invoices/billing.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../domain/invoices/record.ts';
import { bills, importOutcome } from '../../domain/invoices/status.ts';
import { figureConflicts } from '../../domain/invoices/totals.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { under } from '../../shared/field-errors.ts';
import { findContact } from '../../store/contacts.ts';
import { leaseIds, stockIds } from '../../store/dynamodb/ids.ts';
import { findInvoice, findInvoiceNumber, numberKey } from '../../store/invoices.ts';
import { cachedList } from '../../store/settings.ts';
import { linkFaults, newLinks, readLinked, readThings } from './load-links.ts';
import { type Imported, readBilled, storeImported } from './store-invoice.ts';

type Writing = Context<'table:write'>;

/** The rates of the account and that of the contact, as far as the import asks for them. */
async function readRates({ table, caller, now }: Writing, before: InvoiceRecord, given: InvoiceInput) {
  const source = rateSource(before, given);
  const [rates, contact] = await Promise.all([
    source === 'named' || source === 'contact'
      ? cachedList<NamedTaxRate>(table, caller.accountId, 'NamedTaxRate', now)
      : [],
    source === 'contact' ? findContact(table, caller, before.ContactId) : undefined,
  ]);
  return { rates, contactRateId: contact?.NamedTaxRateId ?? null };
}

/** What the invoice is of, as far as the import says something new of it, or bills it from now on. */
function linksToRead(before: InvoiceRecord, given: InvoiceInput) {
  const links = newLinks(before, given);
  if (bills(before)) return links;
  const { ProposalId = before.ProposalId, AppointmentId = before.AppointmentId } = given;
  return { ...links, ProposalId, AppointmentId };
}

/** Another number, where it is free in the organization. */
async function checkNumber({ table, caller }: Writing, before: InvoiceRecord, given: InvoiceInput): Promise<void> {
  const number = given.Number?.trim();
  const keyOf = (of: string) => numberKey(caller.accountId, before.OrganizationId, of).PK;
  if (!number || keyOf(number) === keyOf(before.Number)) return;
  const held = await findInvoiceNumber(table, caller.accountId, before.OrganizationId, number);
  if (held !== undefined) throw conflict(`Number ${JSON.stringify(number)} is that of invoice ${held}.`);
}

/** Changes the invoice of an id, which the request names in `field`. Three rounds; two where nothing new is named. */
export async function changeInvoice(
  named: { readonly id: number; readonly field: string },
  given: InvoiceInput,
  context: Writing,
): Promise<Imported> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const lines = given.Lines ?? [];
  const [before] = await Promise.all([
    findInvoice(table, caller, named.id),
    stockIds(table, accountId, 'InvoiceLine', newLines(lines)),
  ]);
  if (!before) throw notFound('invoice', named.field, named.id);
  const contactId = given.ContactId || given.Contact?.Id || before.ContactId;
  if (contactId !== before.ContactId)
    throw conflict(
      `Invoice ${before.Id} is one of contact ${before.ContactId} and stays that. ` +
        `Void it and import another for contact ${contactId}.`,
    );
  const isVoiding = given.Status === 'Voided' && before.Status !== InvoiceStatus.Voided;
  const [linked, things, known, billed] = await Promise.all([
    readLinked(table, caller, linksToRead(before, given)),
    readThings(table, caller, namedThings(before.Lines, lines)),
    readRates(context, before, given),
    readBilled(context, before, isVoiding),
    checkNumber(context, before, given),
  ]);
  const { rate, faults } = rateOfOfRates(before, given, known);
  const lineIds = await leaseIds(table, accountId, 'InvoiceLine', newLines(lines));
  const merged = mergeInvoice(before, given, { rate, lineIds, things, now: now.getTime() });
  const all = [...faults, ...linkFaults(linked, before.ContactId), ...merged.faults];
  if (all.length) throw invalid(...under('Invoice', all));
  const differing = figureConflicts(merged.invoice, given);
  if (differing.length) throw conflict(`${differing.join('; ')}. Nothing was stored.`);
  const outcome = importOutcome(before, merged.invoice, given.Status ?? undefined);
  if (outcome.kind === 'refused') throw conflict(outcome.message);
  if (outcome.kind === 'same') return { invoice: before, changes: [] };
  const decided = { before, after: merged.invoice, linked, ...(isVoiding ? { billed } : {}) };
  const { thing, changes } = await storeImported(context, decided);
  return { invoice: thing, changes };
}
