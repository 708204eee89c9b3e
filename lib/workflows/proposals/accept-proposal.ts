import type { FieldError } from '../../shared/field-errors.ts';
import type { Context } from '../../api/context.ts';
import { save } from '../../api/operation.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import { depositInvoice } from '../../domain/invoices/deposit.ts';
import { acceptProposalRecord, acceptanceError } from '../../domain/proposals/acceptance.ts';
import { depositDue } from '../../domain/proposals/record.ts';
import { describeFamily, parentIds } from '../../domain/proposals/family.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { readSignature } from '../../domain/signing/signature.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { formatMoney } from '../../shared/money.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { isIpAddress } from '../../shared/web-addresses.ts';
import { contactSummaryChanges } from '../../store/contact-summary.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { sha256, evidenceChanges } from '../../store/evidence.ts';
import { findFreeNumber, invoiceChanges } from '../../store/invoices.ts';
import { findProposals, proposalWithParentChanges } from '../../store/proposals.ts';
import { findProposal } from '../../store/proposals.ts';
import { queueVisits } from './queue-visits.ts';

/** What proposal/accept is asked. */
interface AcceptRequest {
  readonly ProposalId: number;
  readonly Name: string;
  readonly SignatureData: string;
  readonly IpAddress?: string | null | undefined;
}

/** Who signs, how and from where; or every field at fault. */
async function signer(input: Omit<AcceptRequest, 'ProposalId'>, sourceIp: string) {
  const [name, address] = [input.Name.trim(), input.IpAddress?.trim() ?? ''];
  const read = await readSignature(input.SignatureData);
  const errors: FieldError[] = [
    ...(name ? [] : [{ field: 'Name', message: 'is required' }]),
    ...(!address || isIpAddress(address) ? [] : [{ field: 'IpAddress', message: 'must be an IPv4 or IPv6 address' }]),
    ...(read.kind === 'refused' ? [{ field: 'SignatureData', message: read.message }] : []),
  ];
  if (read.kind === 'refused' || errors.length) throw invalid(...errors);
  return { name, ipAddress: address || sourceIp, signature: read.signature };
}

/** What names the invoice of the deposit, where the proposal requires one. Its ids are at hand. */
async function depositIds(table: TableWriter, account: string, { OrganizationId, ...proposal }: ProposalRecord) {
  if (depositDue(proposal) === 0) return { Id: 0, lineId: 0, Number: '', HashKey: '' };
  const [[Id = 0], [lineId = 0]] = await Promise.all([
    reserveIds(table, account, 'Invoice', 1),
    reserveIds(table, account, 'InvoiceLine', 1),
  ]);
  return { Id, lineId, Number: await findFreeNumber(table, account, OrganizationId, Id), HashKey: randomHandle(22) };
}

/** What the acceptance has led to, in sentences. */
function summary(proposal: ProposalRecord, deposit: InvoiceRecord | undefined, queued: number): string {
  const { Id, EvidenceSha256, VisitsToQueue, DepositRate, DepositRequired } = proposal;
  const later = VisitsToQueue ? ` and ${VisitsToQueue} more will be` : '';
  return [
    `Proposal ${Id} is Accepted.`,
    deposit
      ? `Deposit invoice ${deposit.Number} over ${formatMoney(deposit.Total)} is Open.`
      : `There is no deposit invoice${DepositRate && !DepositRequired ? ', because DepositRequired is not true' : ''}.`,
    ...(queued ? [`${queued} visits are queued${later}.`] : []),
    describeFamily(proposal),
    `SHA-256 of the evidence: ${EvidenceSha256}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** proposal/accept (accept.ts says what it does). */
export async function acceptProposal({ ProposalId, ...input }: AcceptRequest, context: Context<'table:write'>) {
  const { caller, table, now, sourceIp } = context;
  const { accountId } = caller;
  const by = await signer(input, sourceIp);
  const [before] = await Promise.all([
    findProposal(table, caller, ProposalId),
    prefetchIds(table, accountId, 'Invoice', 1),
    prefetchIds(table, accountId, 'InvoiceLine', 1),
  ]);
  if (!before) throw notFound('proposal', 'ProposalId', ProposalId);
  const at = now.getTime();
  const refusal = acceptanceError(before, at);
  if (refusal !== undefined) throw conflict(refusal);
  const [visits, ids, read] = await Promise.all([
    queueVisits(table, accountId, before, { from: 0 }, now),
    depositIds(table, accountId, before),
    findProposals(table, accountId, parentIds(before)),
  ]);
  const deposit = depositInvoice(before, { ...ids, at });
  const acceptance = { accountId, ...by, at, sha256, depositInvoiceId: deposit?.Id ?? null };
  const { proposal: signed, content } = acceptProposalRecord(before, acceptance);
  const after = { ...signed, VisitsToQueue: visits.left };
  const proposal = await proposalWithParentChanges(table, accountId, { before, after, now, read });
  const invoice = deposit && invoiceChanges(accountId, { before: undefined, after: deposit, now });
  const standing = { ...proposal.contactSummary, ...invoice?.contactSummary, customer: true };
  const changes = [
    ...proposal.changes,
    ...evidenceChanges(accountId, { id: ProposalId, content, signature: by.signature }),
    ...(invoice?.changes ?? []),
    ...contactSummaryChanges(accountId, before.ContactId, standing, now),
    ...visits.changes,
  ];
  const Message = summary(proposal.record, deposit, visits.queued);
  const answer = { ProposalId, Name: by.name, IpAddress: by.ipAddress, Message };
  return save(changes, answer, { EvidenceSha256: proposal.record.EvidenceSha256 });
}
