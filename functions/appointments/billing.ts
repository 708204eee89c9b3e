import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { add } from '../../lib/domain/decimals.ts';
import { completionInvoice, depositOf, wholeLine } from '../../lib/domain/invoices/completion.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { mayBecome, ProposalStatus } from '../../lib/domain/proposals/status.ts';
import { Status } from '../../lib/domain/scheduling/lifecycle.ts';
import type { Change } from '../../lib/store/changes.ts';
import { standingChanges, type Standing } from '../../lib/store/contact-standing.ts';
import { randomHandle } from '../../lib/store/handles.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { freeNumber } from '../../lib/store/invoice-numbers.ts';
import { findInvoice, storeInvoice } from '../../lib/store/invoices.ts';
import { layout } from '../../lib/store/layout.ts';
import { quote } from '../../lib/store/quotes.ts';
import type { Asking } from './home.ts';
import { scheduledWith, storeProposals } from './proposals.ts';
import type { Writing } from './writing.ts';

/** An appointment being changed, with its service, its contact and its proposals, its own before its root's. */
interface Changing {
  readonly before: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
  readonly service: ServiceRecord;
  readonly contact: ContactRecord;
  readonly proposals: readonly ProposalRecord[];
}

/** Whether it is billed now: completed, of a service that bills what is completed, and not billed already. */
const isBilled = ({ before, after, service }: Changing): boolean =>
  after.Status === Status.Completed && before?.Status !== Status.Completed && !after.InvoiceId && service.IsMigrateInvoice;

/** What an invoice has as a rule, where its lines are not known yet. */
const LINES = 5;

/** Has ids at hand for the invoice of an appointment that may be billed: beside the other first reads, so that it costs no round. */
export async function stockBilling({ table, caller }: Writing, { BilledLines }: AppointmentRecord): Promise<void> {
  const lines = Math.max(LINES, BilledLines.length + 1);
  await Promise.all([stockIds(table, caller.accountId, 'Invoice', 1), stockIds(table, caller.accountId, 'InvoiceLine', lines)]);
}

/** The appointment with the lines of its invoice: as they were kept; else as they are priced, if that is still its price. */
async function withLines({ table, caller, now }: Asking, { after, service, contact }: Changing): Promise<AppointmentRecord> {
  if (after.BilledLines.length) return after;
  const { Quantity: quantity, Discount: discount, AddOnParts: lines, CustomProperties: properties } = after;
  const quoted = await quote(table, caller.accountId, { service, contact, quantity, discount, lines, properties }, now);
  if (quoted.kind === 'faults' || quoted.quote.total !== after.Total) return { ...after, BilledLines: [wholeLine(after)] };
  const { billed, tax } = quoted.quote;
  return { ...after, BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name };
}

/** A deposit's invoice must still be what was read when it is credited: it may be voided in the same moment. */
const unchanged = (account: string, { Id, V }: InvoiceRecord): Change => ({ check: layout.invoice.key({ account, id: Id }), if: { equals: { V } } });

/**
 * The invoice of an appointment that becomes Completed, with what else comes of it: the deposit of its proposal is taken
 * off, which the proposal remembers, and the proposal is Invoiced. One round, with ids at hand, and one where the
 * proposal belongs to another.
 */
async function billed(writing: Writing, completing: Changing): Promise<{ invoiceId: number; changes: Change[]; standing: Standing }> {
  const { table, caller, now } = writing;
  const { accountId } = caller;
  const { proposals } = completing;
  const payer = proposals.find(({ DepositInvoiceId }) => DepositInvoiceId);
  const appointment = await withLines(writing, completing);
  const [Id = 0] = await leaseIds(table, accountId, 'Invoice', 1);
  const lineIds = await leaseIds(table, accountId, 'InvoiceLine', appointment.BilledLines.length + (payer ? 1 : 0));
  const [Number, invoiced] = await Promise.all([
    freeNumber(table, accountId, appointment.OrganizationId, Id),
    payer?.DepositInvoiceId ? findInvoice(table, caller, payer.DepositInvoiceId) : undefined,
  ]);
  const deposit = invoiced && depositOf(invoiced, payer?.DepositCredited ?? 0);
  const { invoice, credited } = completionInvoice(appointment, { Id, Number, HashKey: randomHandle(22), lineIds, deposit, now: now.getTime() });
  const stored = storeInvoice(accountId, { before: undefined, after: invoice, now });
  const ofProposals = await storeProposals(writing, proposals, (proposal) => {
    const isOwn = proposal.Id === invoice.ProposalId && mayBecome(proposal.Status, ProposalStatus.Invoiced);
    const paid = proposal === payer && credited > 0 ? { DepositCredited: add(proposal.DepositCredited ?? 0, credited) } : undefined;
    return isOwn || paid ? { ...proposal, ...paid, ...(isOwn ? { Status: ProposalStatus.Invoiced } : {}) } : proposal;
  });
  const checks = invoiced && credited > 0 ? [unchanged(accountId, invoiced)] : [];
  return { invoiceId: Id, changes: [...stored.changes, ...ofProposals.changes, ...checks], standing: { ...stored.standing, ...ofProposals.standing } };
}

/** Other things that change with an appointment: what it is billed with, its proposals, its contact; and its invoice, if it has one then. */
export async function consequencesOf(writing: Writing, changing: Changing): Promise<{ readonly invoiceId: number; readonly changes: readonly Change[] }> {
  const { caller, now } = writing;
  const { after, contact, proposals } = changing;
  const nothing = { changes: [], standing: {} };
  const bill = isBilled(changing) ? await billed(writing, changing) : undefined;
  const { changes, standing } = bill ?? (after.Status === Status.Scheduled ? await scheduledWith(writing, proposals) : nothing);
  const customer = after.Status === Status.Completed && !contact.IsCustomer;
  const ofContact = standingChanges(caller.accountId, contact.Id, { customer, ...standing }, now);
  return { invoiceId: bill?.invoiceId ?? after.InvoiceId, changes: [...changes, ...ofContact] };
}
