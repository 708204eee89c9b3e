import type { ProposalRecord } from '../../entities/proposals.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import { depositInvoice } from '../../domain/invoices/deposit.ts';
import { acceptanceError, acceptedProposal } from '../../domain/proposals/acceptance.ts';
import { describeFamily, parentIds } from '../../domain/proposals/family.ts';
import { depositDue } from '../../domain/proposals/record.ts';
import { type Signature, readSignature } from '../../domain/signing/signature.ts';
import { conflict, invalid, orNotFound } from '../../shared/failure.ts';
import { collectErrors } from '../../shared/field-errors.ts';
import { formatMoney } from '../../shared/money.ts';
import { isIpAddress } from '../../shared/web/web-addresses.ts';
import { contactSummaryChanges } from '../../store/contacts/contact-summary.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { getOrganization } from '../../store/organizations/current-organization.ts';
import { evidenceChanges, sha256 } from '../../store/sales/evidence.ts';
import { findFreeNumber, invoiceChanges } from '../../store/sales/invoices.ts';
import { findProposal, findProposals, proposalWithParentChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import { queueVisits } from './queue-visits.ts';

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

/** How a client accepts on a page. */
interface OnPage {
  /** The proposal as it is signed, of the stored one; throws where it may not be signed. */
  readonly choose?: (stored: ProposalRecord) => ProposalRecord;
  /** The text that the client agreed to. */
  readonly agreement?: string;
}

/**
 * Accepts an open proposal: signs it, stores the evidence, opens the invoice of its deposit and queues the first visits
 * of a subscription. Throws conflict if it is not open or falls short of a minimum of its service.
 */
export async function acceptProposal(
  input: AcceptInput,
  context: WriteContext & { readonly sourceIp: string },
  { choose = (stored) => stored, agreement }: OnPage = {},
): Promise<AcceptanceResult> {
  const { caller, table, now } = context;
  const { accountId } = caller;
  const signer = await readSigner(input, context.sourceIp);
  const stored = await loadProposal(context, input.ProposalId);
  const before = choose(stored);
  const error = acceptanceError(before, now.getTime());
  if (error) throw conflict(error.code, error.message);

  const [visits, deposit, parents] = await Promise.all([
    queueVisits(table, accountId, before, 0, now),
    createDepositInvoice(context, before),
    findProposals(table, accountId, parentIds(before)),
    requireOpenOrganization(context, before),
  ]);
  const depositInvoiceId = deposit?.Id ?? null;
  const signing = { ...signer, agreement, accountId, at: now.getTime(), sha256, depositInvoiceId };
  const { proposal: signed, content } = acceptedProposal(before, signing);

  const after = { ...signed, VisitsToQueue: visits.left };
  const transition = { before: stored, after, now, read: parents };
  const { record, ...written } = await proposalWithParentChanges(table, accountId, transition);
  const invoice = deposit && invoiceChanges(accountId, { before: undefined, after: deposit, now });
  const contactSummary = { ...written.contactSummary, ...invoice?.contactSummary, customer: true };
  return {
    signer,
    proposal: record,
    message: describeAcceptance(record, deposit, visits.queued),
    changes: [
      ...written.changes,
      ...evidenceChanges(accountId, { id: before.Id, content, signature: signer.signature }),
      ...(invoice?.changes ?? []),
      ...contactSummaryChanges(accountId, before.ContactId, contactSummary, now),
      ...visits.changes,
    ],
  };
}

async function readSigner(input: AcceptInput, sourceIp: string): Promise<Signer> {
  const [name, ipAddress] = [input.Name.trim(), input.IpAddress?.trim() ?? ''];
  const signature = await readSignature(input.SignatureData);
  const errors = collectErrors(
    ['Name', !name && 'is required', 'required'],
    ['IpAddress', ipAddress !== '' && !isIpAddress(ipAddress) && 'must be an IPv4 or IPv6 address', 'format'],
    ['SignatureData', signature.kind === 'refused' && signature.message, 'format'],
  );
  if (signature.kind === 'refused' || errors.length) throw invalid(...errors);
  return { name, ipAddress: ipAddress || sourceIp, signature: signature.signature };
}

/** The proposal; in the same round, ids for the deposit's invoice are prefetched. */
async function loadProposal({ table, caller }: WriteContext, id: number): Promise<ProposalRecord> {
  const [proposal] = await Promise.all([
    findProposal(table, caller, id),
    prefetchIds(table, caller.accountId, 'Invoice', 1),
    prefetchIds(table, caller.accountId, 'InvoiceLine', 1),
  ]);
  return orNotFound(proposal, 'proposal', 'ProposalId', id);
}

/** A key of the organization itself is refused before. */
async function requireOpenOrganization(
  { table, caller }: WriteContext,
  { OrganizationId }: ProposalRecord,
): Promise<void> {
  if (caller.organizationId !== null) return;
  requireOpen(await getOrganization(table, caller.accountId, OrganizationId), 'signatures');
}

/** The invoice of the deposit; `undefined` if none is due. */
async function createDepositInvoice(
  { table, caller, now }: WriteContext,
  proposal: ProposalRecord,
): Promise<InvoiceRecord | undefined> {
  if (depositDue(proposal) === 0) return undefined;
  const [[Id = 0], [lineId = 0]] = await Promise.all([
    reserveIds(table, caller.accountId, 'Invoice', 1),
    reserveIds(table, caller.accountId, 'InvoiceLine', 1),
  ]);
  const Number = await findFreeNumber(table, caller.accountId, proposal.OrganizationId, Id);
  return depositInvoice(proposal, { Id, lineId, Number, at: now.getTime() });
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
