import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { completionInvoice, depositLeft, wholeLine, type Deposit } from '../../lib/domain/invoices/completion.ts';
import { effectOn, invoiced } from '../../lib/domain/invoices/proposals.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { Status } from '../../lib/domain/scheduling/lifecycle.ts';
import type { Change } from '../../lib/store/changes.ts';
import { standingChanges, type Standing } from '../../lib/store/contact-standing.ts';
import { randomHandle } from '../../lib/store/handles.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { freeNumber } from '../../lib/store/invoice-numbers.ts';
import { findInvoice, storeInvoice } from '../../lib/store/invoices.ts';
import { layout } from '../../lib/store/layout.ts';
import { storeProposals } from '../../lib/store/proposal-links.ts';
import { quote } from '../../lib/store/quotes.ts';
import { dueOf } from './due.ts';
import type { Asking } from './home.ts';
import { scheduledWith } from './proposals.ts';
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
  const quoted = await quote(table, caller.accountId, { service, contact, quantity, discount, lines, had: lines, properties }, now);
  if (quoted.kind === 'faults' || quoted.quote.total !== after.Total) return { ...after, BilledLines: [wholeLine(after)] };
  const { billed, tax } = quoted.quote;
  return { ...after, BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name };
}

/** A deposit's invoice must still be what was read when it is credited: it may be voided in the same moment. */
const unchanged = (account: string, { Id, V }: InvoiceRecord): Change => ({ check: layout.invoice.key({ account, id: Id }), if: { equals: { V } } });

/** A deposit with the invoice that it was asked for by, for every proposal that has one which is not credited yet. */
async function depositsOf({ table, caller }: Writing, payers: readonly ProposalRecord[]): Promise<{ deposit: Deposit; invoice: InvoiceRecord }[]> {
  const read = async (proposal: ProposalRecord) => {
    const invoice = proposal.DepositInvoiceId ? await findInvoice(table, caller, proposal.DepositInvoiceId) : undefined;
    const deposit = invoice && depositLeft(proposal, invoice);
    return deposit ? [{ deposit, invoice }] : [];
  };
  return (await Promise.all(payers.map(read))).flat();
}

type Billed = { readonly invoiceId: number; readonly message: string; readonly changes: readonly Change[]; readonly standing: Standing };

/**
 * The invoice of an appointment that becomes Completed, with what else comes of it: deposits are taken off, which their
 * proposals remember, and the proposals that it bills are Invoiced. One round, with ids at hand; one more where the
 * proposal has signed change orders or belongs to another.
 */
async function billed(writing: Writing, completing: Changing): Promise<Billed> {
  const { table, caller, now } = writing;
  const { accountId } = caller;
  const appointment = await withLines(writing, completing);
  const due = await dueOf(writing, appointment, completing.proposals);
  if (!due.lines.length) return { invoiceId: 0, message: due.message, changes: [], standing: {} };
  const payers = due.involved.filter(({ DepositInvoiceId }) => DepositInvoiceId);
  const [Id = 0] = await leaseIds(table, accountId, 'Invoice', 1);
  const lineIds = await leaseIds(table, accountId, 'InvoiceLine', due.lines.length + payers.length);
  const [Number, paid] = await Promise.all([freeNumber(table, accountId, appointment.OrganizationId, Id), depositsOf(writing, payers)]);
  const given = { Id, Number, HashKey: randomHandle(22), lineIds, deposits: paid.map(({ deposit }) => deposit), now: now.getTime() };
  const { invoice, credits } = completionInvoice({ ...appointment, BilledLines: due.lines }, given);
  const Proposals = due.involved.flatMap((proposal) => {
    const credited = credits.find(({ ProposalId }) => ProposalId === proposal.Id)?.amount ?? 0;
    return effectOn(proposal, { bills: due.billed.includes(proposal), credited }) ?? [];
  });
  const after = Proposals.length ? { ...invoice, Proposals } : invoice;
  const stored = storeInvoice(accountId, { before: undefined, after, now });
  const told = await storeProposals(table, accountId, { before: due.involved, next: (proposal) => invoiced(proposal, after), now });
  const isCredited = (of: Deposit) => credits.some(({ ProposalId }) => ProposalId === of.ProposalId);
  const checks = paid.flatMap(({ deposit, invoice: asked }) => (isCredited(deposit) ? [unchanged(accountId, asked)] : []));
  return { invoiceId: Id, message: due.message, changes: [...stored.changes, ...told.changes, ...checks], standing: { ...stored.standing, ...told.standing } };
}

/** Other things that change with an appointment: what it is billed with, its proposals, its contact; and its invoice, if it has one then. */
export async function consequencesOf(writing: Writing, changing: Changing): Promise<Omit<Billed, 'standing'>> {
  const { caller, now } = writing;
  const { after, contact, proposals } = changing;
  const nothing = { changes: [], standing: {} };
  const bill = isBilled(changing) ? await billed(writing, changing) : undefined;
  const { changes, standing } = bill ?? (after.Status === Status.Scheduled ? await scheduledWith(writing, proposals) : nothing);
  const customer = after.Status === Status.Completed && !contact.IsCustomer;
  const ofContact = standingChanges(caller.accountId, contact.Id, { customer, ...standing }, now);
  return { invoiceId: bill?.invoiceId ?? after.InvoiceId, message: bill?.message ?? '', changes: [...changes, ...ofContact] };
}
