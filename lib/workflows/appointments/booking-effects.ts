import { applyActuals } from '../../domain/appointments/actuals.ts';
import type { Caller } from '../../store/caller.ts';
import { actualsForStatus } from '../../domain/appointments/actuals.ts';
import { type AppointmentRecord, toQueued } from '../../domain/appointments/record.ts';
import { Status, changeStatus } from '../../domain/appointments/status.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { type Deposit, completionInvoice, depositLeft, totalLine } from '../../domain/invoices/completion.ts';
import { proposalEffect, markInvoiced } from '../../domain/invoices/proposal-effects.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { ProposalStatus } from '../../domain/proposals/status.ts';
import { conflict, invalid, forbidden } from '../../shared/failure.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { parseMoment } from '../../shared/read-moments.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contact-summary.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice, findFreeNumber, invoiceChanges } from '../../store/invoices.ts';
import { layout } from '../../store/keys.ts';
import { proposalsWithParentChanges } from '../../store/proposals.ts';
import { quoteWork } from '../pricebook/quote-work.ts';
import {
  type ReadContext,
  type SlotInput,
  type ReferenceInput,
  type Refusal,
  type WriteContext,
  isRefusal,
  checkLinks,
  contactReferences,
  type loadReferences,
} from './booking-context.ts';
import { amountsDue } from './price-work.ts';

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
  after.Status === Status.Completed &&
  before?.Status !== Status.Completed &&
  !after.InvoiceId &&
  service.IsMigrateInvoice;

/** What an invoice has as a rule, where its lines are not known yet. */
const LINES = 5;

/** Has ids at hand for the invoice of an appointment that may be billed: beside the other first reads, so that it costs no round. */
export async function prefetchBillingIds(
  { table, caller }: WriteContext,
  { BilledLines }: AppointmentRecord,
): Promise<void> {
  const lines = Math.max(LINES, BilledLines.length + 1);
  await Promise.all([
    prefetchIds(table, caller.accountId, 'Invoice', 1),
    prefetchIds(table, caller.accountId, 'InvoiceLine', lines),
  ]);
}

/** The appointment with the lines of its invoice: as they were kept; else as they are priced, if that is still its price. */
async function withLines(
  { table, caller, now }: ReadContext,
  { after, service, contact }: Changing,
): Promise<AppointmentRecord> {
  if (after.BilledLines.length) return after;
  const { Quantity: quantity, Discount: discount, AddOnParts: lines, CustomProperties: properties } = after;
  const quoted = await quoteWork(
    table,
    caller.accountId,
    { service, contact, quantity, discount, lines, had: lines, properties },
    now,
  );
  if (quoted.kind === 'invalid' || quoted.quote.total !== after.Total)
    return { ...after, BilledLines: [totalLine(after)] };
  const { billed, tax } = quoted.quote;
  return { ...after, BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name };
}

/** A deposit's invoice must still be what was read when it is credited: it may be voided in the same moment. */
const unchanged = (account: string, { Id, V }: InvoiceRecord): Change => ({
  check: layout.invoice.key({ account, id: Id }),
  if: { equals: { V } },
});

/** A deposit with the invoice that it was asked for by, for every proposal that has one which is not credited yet. */
async function depositsOf(
  { table, caller }: WriteContext,
  payers: readonly ProposalRecord[],
): Promise<{ deposit: Deposit; invoice: InvoiceRecord }[]> {
  const read = async (proposal: ProposalRecord) => {
    const invoice = proposal.DepositInvoiceId ? await findInvoice(table, caller, proposal.DepositInvoiceId) : undefined;
    const deposit = invoice && depositLeft(proposal, invoice);
    return deposit ? [{ deposit, invoice }] : [];
  };
  return (await Promise.all(payers.map(read))).flat();
}

type Billed = {
  readonly invoiceId: number;
  readonly message: string;
  readonly changes: readonly Change[];
  readonly contactSummary: ContactSummary;
};

/**
 * The invoice of an appointment that becomes Completed, with what else comes of it: deposits are taken off, which their
 * proposals remember, and the proposals that it bills are Invoiced. One round, with ids at hand; one more where the
 * proposal has signed change orders or belongs to another.
 */
async function billed(writing: WriteContext, completing: Changing): Promise<Billed> {
  const { table, caller, now } = writing;
  const { accountId } = caller;
  const appointment = await withLines(writing, completing);
  const due = await amountsDue(writing, appointment, completing.proposals);
  if (!due.lines.length) return { invoiceId: 0, message: due.message, changes: [], contactSummary: {} };
  const payers = due.involved.filter(({ DepositInvoiceId }) => DepositInvoiceId);
  const [Id = 0] = await reserveIds(table, accountId, 'Invoice', 1);
  const lineIds = await reserveIds(table, accountId, 'InvoiceLine', due.lines.length + payers.length);
  const [Number, paid] = await Promise.all([
    findFreeNumber(table, accountId, appointment.OrganizationId, Id),
    depositsOf(writing, payers),
  ]);
  const input = {
    Id,
    Number,
    HashKey: randomHandle(22),
    lineIds,
    deposits: paid.map(({ deposit }) => deposit),
    now: now.getTime(),
  };
  const { invoice, credits } = completionInvoice({ ...appointment, BilledLines: due.lines }, input);
  const Proposals = due.involved.flatMap((proposal) => {
    const credited = credits.find(({ ProposalId }) => ProposalId === proposal.Id)?.amount ?? 0;
    return proposalEffect(proposal, { bills: due.billed.includes(proposal), credited }) ?? [];
  });
  const after = Proposals.length ? { ...invoice, Proposals } : invoice;
  const stored = invoiceChanges(accountId, { before: undefined, after, now });
  const told = await proposalsWithParentChanges(table, accountId, {
    before: due.involved,
    next: (proposal) => markInvoiced(proposal, after),
    now,
  });
  const isCredited = (of: Deposit) => credits.some(({ ProposalId }) => ProposalId === of.ProposalId);
  const checks = paid.flatMap(({ deposit, invoice: asked }) =>
    isCredited(deposit) ? [unchanged(accountId, asked)] : [],
  );
  return {
    invoiceId: Id,
    message: due.message,
    changes: [...stored.changes, ...told.changes, ...checks],
    contactSummary: { ...stored.contactSummary, ...told.contactSummary },
  };
}

/** Other things that change with an appointment: what it is billed with, its proposals, its contact; and its invoice, if it has one then. */
export async function bookingEffects(
  writing: WriteContext,
  changing: Changing,
): Promise<Omit<Billed, 'contactSummary'>> {
  const { caller, now } = writing;
  const { after, contact, proposals } = changing;
  const nothing = { changes: [], contactSummary: {} };
  const bill = isBilled(changing) ? await billed(writing, changing) : undefined;
  const { changes, contactSummary } =
    bill ?? (after.Status === Status.Scheduled ? await scheduleProposals(writing, proposals) : nothing);
  const customer = after.Status === Status.Completed && !contact.IsCustomer;
  const ofContact = contactSummaryChanges(caller.accountId, contact.Id, { customer, ...contactSummary }, now);
  return {
    invoiceId: bill?.invoiceId ?? after.InvoiceId,
    message: bill?.message ?? '',
    changes: [...changes, ...ofContact],
  };
}

/** The accepted proposals of an appointment that becomes Scheduled are Scheduled with it. */
export const scheduleProposals = ({ table, caller, now }: WriteContext, before: readonly ProposalRecord[]) =>
  proposalsWithParentChanges(table, caller.accountId, {
    before,
    next: (proposal) =>
      proposal.Status === ProposalStatus.Accepted ? { ...proposal, Status: ProposalStatus.Scheduled } : proposal,
    now,
  });

/** The appointment in another status; 409 where the table of transitions has no such change, 403 where the role may not make it. */
export function changeAppointmentStatus(
  appointment: AppointmentRecord,
  to: number,
  { role }: Caller,
): AppointmentRecord {
  const move = changeStatus(appointment.Status, to, role);
  if (move.ok) return { ...appointment, Status: to };
  throw move.kind === 'forbidden' ? forbidden(move.message) : conflict(move.message);
}

interface Said {
  readonly UpdateActuals?: boolean | null | undefined;
  readonly ActualStart?: string | null | undefined;
  readonly ActualFinish?: string | null | undefined;
}

function momentOf(field: string, text: string | null | undefined, zone: string): number | null | undefined {
  if (text == null) return text;
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw invalid({ field: field, message: `cannot be read: ${parsed.reason}` });
  return parsed.at;
}

/** The appointment in the status that an update asks for: by its actuals with UpdateActuals, else by the Status of the slot. 409 or 403 where it may not be. */
export async function applyStatus(
  { caller, now }: WriteContext,
  before: AppointmentRecord,
  said: Said,
  slot: SlotInput | undefined,
): Promise<AppointmentRecord> {
  if (said.UpdateActuals) {
    const actuals = {
      start: momentOf('ActualStart', said.ActualStart, before.Zone),
      finish: momentOf('ActualFinish', said.ActualFinish, before.Zone),
    };
    const { told, errors } = applyActuals(before, actuals);
    if (errors.length) throw invalid(...errors);
    return {
      ...(told.Status === before.Status ? before : changeAppointmentStatus(before, told.Status, caller)),
      ...told,
    };
  }
  const to = slot?.Status;
  if (to == null || to === before.Status) return before;
  if (to === Status.Canceled)
    throw invalid({
      field: 'Slots[0].Status',
      message: 'becomes Canceled with appointments/cancel, which takes the reason',
    });
  const after = changeAppointmentStatus(before, to, caller);
  if (to === Status.Queued) return toQueued(after, '', now.getTime());
  return { ...after, ...actualsForStatus(before, to, now.getTime()), CancelReasonId: null };
}

/** What a request says beside time, agents and price. */
interface SaidOfDetails extends ReferenceInput {
  readonly Notes?: string | null | undefined;
  readonly NotificationUri?: string | null | undefined;
  readonly EnRouteUri?: string | null | undefined;
  readonly ThirdPartyUrl?: string | null | undefined;
  readonly NotificationOptions?: readonly string[] | null | undefined;
}

/** A request, with what it names, for a contact. */
interface Asked {
  readonly request: SaidOfDetails;
  readonly slot: SlotInput | undefined;
  readonly named: Awaited<ReturnType<typeof loadReferences>>;
  readonly contactId: number;
}

/** Only what is said: absent is unchanged, `null` clears. */
const onlySaid = <Of extends object>(of: { readonly [Name in keyof Of]: Of[Name] | undefined }): Partial<Of> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Partial<Of>;

const cleared = <Value>(value: Value | null | undefined, empty: Value): Value | undefined =>
  value === undefined ? undefined : (value ?? empty);

/** The fields of an appointment that a request says. What it names must be of the contact, and addresses such as may be called. */
export function resolveDetails({ request: said, slot, named, contactId }: Asked): Partial<AppointmentRecord> | Refusal {
  if (isRefusal(named)) return named;
  const foreign = contactReferences(named, contactId);
  if (foreign) return foreign;
  // A slot of slotsearch is blank in what it does not know, and so are typed clients' requests: that says nothing.
  const first = (field: 'NotificationUri' | 'ThirdPartyUrl') =>
    said[field] === undefined ? slot?.[field] || undefined : said[field];
  const properties = slot?.CustomProperties;
  const links = checkLinks({
    NotificationUri: first('NotificationUri'),
    EnRouteUri: said.EnRouteUri,
    ThirdPartyUrl: first('ThirdPartyUrl'),
  });
  if (isRefusal(links)) return links;
  return {
    ...links,
    ...onlySaid<Partial<AppointmentRecord>>({
      InvoiceId: said.InvoiceId === null ? 0 : said.InvoiceId || undefined,
      RootProposalId: said.RootProposalId === null ? null : said.RootProposalId || slot?.RootProposalId || undefined,
      ProposalId: slot?.ProposalId || undefined,
      Notes: cleared(said.Notes, ''),
      NotificationOptions: cleared(said.NotificationOptions, []),
      ReworkForAppointmentId: slot?.ReworkForAppointmentId || undefined,
      Shadow: slot?.Shadow ?? undefined,
      CustomProperties: properties && Object.keys(properties).length ? properties : undefined,
    }),
  };
}
