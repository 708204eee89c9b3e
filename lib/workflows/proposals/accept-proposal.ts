import { depositInvoice } from '../../domain/invoices/record.ts';
import { acceptanceError, acceptedProposal } from '../../domain/proposals/acceptance.ts';
import { describeFamily, parentIds } from '../../domain/proposals/family.ts';
import { depositDue } from '../../domain/proposals/record.ts';
import { type Signature, readSignature } from '../../domain/signing/evidence.ts';
import { soldSeries } from '../../domain/subscriptions/sold-series.ts';
import { visitAppointment } from '../../domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { SeriesRecord } from '../../entities/series.ts';
import { collectErrors, conflict, invalid, orNotFound } from '../../shared/failure.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { formatMoney } from '../../shared/money.ts';
import { prefetchIds, randomHandle, reserveIds } from '../../store/dynamodb/records.ts';
import { isIpAddress } from '../../shared/web/web-addresses.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { evidenceChanges, sha256 } from '../../store/sales/evidence.ts';
import { invoiceChanges, takeInvoiceNumber } from '../../store/sales/invoices.ts';
import { findProposal, findProposals, proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { seriesChange } from '../../store/series.ts';
import type { WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import type { StoreWriter } from '../../store/store.ts';

/**
 * Accepts a proposal, with the invoice of its deposit and the first visits of its subscription.
 */

export interface AcceptInput {
  readonly ProposalId: number;
  readonly Name: string;
  readonly SignatureData: string;
  readonly IpAddress?: string | null | undefined;
}

interface Signer {
  readonly name: string;
  readonly ipAddress: string;
  readonly signature: Signature;
}

export interface AcceptanceResult {
  readonly signer: Signer;
  readonly proposal: ProposalRecord;
  readonly message: string;
  readonly changes: readonly Change[];
}

/** How a client accepts on a page, or which program accepts for it. */
interface How {
  /** Turns the stored proposal into the one to sign; throws if it may not be signed. */
  readonly choose?: (stored: ProposalRecord) => ProposalRecord;
  /** The text that the client agreed to. */
  readonly agreement?: string;
  /** The API key of a program that accepts on the client's behalf. */
  readonly key?: { readonly id: string; readonly name: string };
}

/**
 * Accepts an open proposal: signs it, stores the evidence, opens the invoice of its deposit and queues the first visits
 * of a subscription. Throws conflict if it is not open or falls short of a minimum of its service.
 */
export async function acceptProposal(
  input: AcceptInput,
  context: WriteContext & { readonly sourceIp: string },
  { choose = (stored) => stored, agreement, key }: How,
): Promise<AcceptanceResult> {
  const { store, caller, now } = context;
  const { account } = caller;
  const stored = await loadProposal(context, input.ProposalId);
  const before = choose(stored);
  const error = acceptanceError(before, now.getTime());
  if (error) throw conflict(error.code, error.message);
  // Comes last, because decoding a picture costs more than all the other checks.
  const signer = readSigner(input, context.sourceIp);

  const [visits, deposit, parents] = await Promise.all([
    queueVisits(store, { proposal: before, series: undefined, from: 0 }, now),
    createDepositInvoice(context, before),
    findProposals(store, parentIds(before)),
    requireOpenOrganization(context, before),
  ]);
  const depositInvoiceId = deposit?.draft.Id ?? null;
  const signing = { ...signer, agreement, key, account, at: now.getTime(), sha256, depositInvoiceId };
  const { proposal: signed, content } = acceptedProposal(before, signing);

  const after = { ...signed, VisitsToQueue: visits.left };
  const transition = { before: stored, after, now, read: parents };
  const { record, ...written } = await proposalWithParentChanges(store, transition);
  const invoice = deposit && invoiceChanges(store, { before: undefined, after: deposit.draft, now });
  const contactSummary = { ...written.contactSummary, ...invoice?.contactSummary, customer: true };
  return {
    signer,
    proposal: record,
    message: describeAcceptance(record, deposit?.draft, visits.queued),
    changes: [
      ...written.changes,
      ...evidenceChanges(store, { id: before.Id, content, signature: signer.signature }),
      ...(invoice?.changes ?? []),
      ...(deposit?.numbered ?? []),
      ...contactSummaryChanges(store, before.ContactId, contactSummary, now),
      ...visits.changes,
    ],
  };
}

function readSigner(input: AcceptInput, sourceIp: string): Signer {
  const [name, ipAddress] = [input.Name.trim(), input.IpAddress?.trim() ?? ''];
  const signature = readSignature(input.SignatureData);
  const errors = collectErrors(
    ['Name', !name && 'is required', 'required'],
    ['IpAddress', ipAddress !== '' && !isIpAddress(ipAddress) && 'must be an IPv4 or IPv6 address', 'format'],
    ['SignatureData', signature.kind === 'refused' && signature.message, 'format'],
  );
  if (signature.kind === 'refused' || errors.length) throw invalid(...errors);
  return { name, ipAddress: ipAddress || sourceIp, signature: signature.signature };
}

/** Loads the proposal and, in the same round, prefetches ids for the deposit's invoice. */
async function loadProposal({ store }: WriteContext, id: number): Promise<ProposalRecord> {
  const [proposal] = await Promise.all([
    findProposal(store, id),
    prefetchIds(store, 'Invoice', 1),
    prefetchIds(store, 'InvoiceLine', 1),
  ]);
  return orNotFound(proposal, 'proposal', 'ProposalId', id);
}

/** A key of the organization itself has already been refused. */
async function requireOpenOrganization(
  { store, caller }: WriteContext,
  { OrganizationId }: ProposalRecord,
): Promise<void> {
  if (caller.organizationId !== null) return;
  requireOpen(await getOrganization(store, OrganizationId), 'signatures');
}

/** The invoice of the deposit, and the changes that take its number; `undefined` if none is due. */
async function createDepositInvoice(
  { store, now }: WriteContext,
  proposal: ProposalRecord,
): Promise<{ readonly draft: InvoiceRecord; readonly numbered: readonly Change[] } | undefined> {
  if (depositDue(proposal) === 0) return undefined;
  const [[Id = 0], [lineId = 0]] = await Promise.all([
    reserveIds(store, 'Invoice', 1),
    reserveIds(store, 'InvoiceLine', 1),
  ]);
  const at = { organization: proposal.OrganizationId, id: Id };
  const { number: Number, changes: numbered } = await takeInvoiceNumber(store, at);
  const draft = depositInvoice(proposal, { Id, lineId, Number, at: now.getTime() });
  return draft && { draft, numbered };
}

function describeAcceptance(proposal: ProposalRecord, deposit: InvoiceRecord | undefined, queued: number): string {
  const { Id, EvidenceSha256, VisitsToQueue, DepositRate, DepositRequired } = proposal;
  const noDeposit = `No deposit invoice${DepositRate && !DepositRequired ? ': DepositRequired is not true' : ''}.`;
  const more = VisitsToQueue ? `; ${VisitsToQueue} more will follow` : '';
  return [
    `Proposal ${Id} is Accepted.`,
    deposit ? `Deposit invoice ${deposit.Number} of ${formatMoney(deposit.Total)} is Open.` : noDeposit,
    queued ? `${queued} visits are queued${more}.` : '',
    describeFamily(proposal),
    `SHA-256 of the evidence: ${EvidenceSha256}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** An appointment is two items, and a transaction takes 100, including those of its caller. */
const MAX_VISITS = 40;
/**
 * A transaction takes 4 MB. An acceptance also stores the proposal, the evidence, the signature and the contact, at
 * most 350 + 350 + 256 + 400 KB, and the proposal's ancestors.
 */
const MAX_BYTES = 1_800_000;

/** The next visits of a subscription as queued appointments. */
export interface QueuedVisits {
  /** To be committed with the change that sets the proposal's VisitsToQueue to `left`. */
  readonly changes: readonly Change[];
  readonly queued: number;
  readonly left: number;
}

/** The next part of a subscription to queue. */
interface VisitQueue {
  readonly proposal: ProposalRecord;
  /** `undefined` before the first visits, and if an earlier version queued those. */
  readonly series: SeriesRecord | undefined;
  /** The next visit, counted from 0. */
  readonly from: number;
}

/**
 * The appointments of a proposal's visits from the one at `from` on, as many as fit into a transaction, and their
 * series; none if the proposal is not a subscription.
 */
export async function queueVisits(
  store: StoreWriter,
  { proposal, series, from }: VisitQueue,
  now: Date,
): Promise<QueuedVisits> {
  const all = scheduleVisits(proposal);
  const visits = all.slice(from);
  const next = visits.slice(0, MAX_VISITS);
  if (next.length === 0) return { changes: [], queued: 0, left: visits.length };
  const ids = await reserveIds(store, 'Appointment', next.length);
  const changes: Change[] = [];
  let bytes = 0;
  let queued = 0;
  for (const visit of next) {
    const identity = { Id: ids[queued] ?? 0, HashKey: randomHandle(22), now: now.getTime() };
    const appointment = visitAppointment(proposal, visit, identity);
    bytes += jsonByteLength(appointment);
    if (queued && bytes > MAX_BYTES) break;
    changes.push(...appointmentChanges(store, { before: undefined, after: appointment, now }).changes);
    queued++;
  }
  const started = series ?? (from === 0 && all.length > 1 ? soldSeries(proposal, all, now.getTime()) : undefined);
  if (started) {
    const after = { ...started, VisitIds: [...started.VisitIds, ...ids.slice(0, queued)] };
    changes.push(seriesChange(store, { before: series, after, now }));
  }
  return { changes, queued, left: visits.length - queued };
}
