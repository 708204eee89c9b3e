import { canonical } from '../../shared/canonical-json.ts';
import { isEqual } from '../../shared/equality.ts';
import { formatMoney } from '../../shared/money.ts';
import { type Evidence, signedContent } from '../signing/evidence.ts';
import type { Signature } from '../signing/signature.ts';
import type { ProposalRecord } from './record.ts';
import { ProposalStatus, isSigned, proposalStatusName, statusAt } from './status.ts';

/** What somebody accepts a proposal with, and what an acceptance needs of outside. */
export interface AcceptanceInput {
  readonly accountId: string;
  readonly name: string;
  readonly ipAddress: string;
  readonly signature: Signature;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of bytes, or of a text as UTF-8, in hexadecimal. */
  readonly sha256: (of: Uint8Array | string) => string;
  /** The invoice of the deposit; `null` where no deposit is due. */
  readonly depositInvoiceId: number | null;
}

/** An acceptance, as it is to be stored. */
export interface Accepted {
  readonly proposal: ProposalRecord;
  /** The evidence as the one text whose SHA-256 is `proposal.EvidenceSha256`. */
  readonly content: string;
}

/** Why a proposal cannot be accepted at a moment, in a sentence; `undefined` when it can. */
export function acceptanceError(proposal: ProposalRecord, at: number): string | undefined {
  const { Id, Options, Subtotal, Book } = proposal;
  const status = statusAt(proposal, at);
  if (status !== ProposalStatus.Open)
    return `Proposal ${Id} is ${proposalStatusName(status)}; only one that is Open can be accepted.`;
  // What is signed already has met them; a change order only adds to it.
  if (proposal.ChangeOrderForProposalId !== null) return undefined;
  const { MinimumOptions: options = null, MinimumSubtotal: subtotal = null } = Book.Service;
  const selected = Options.filter(({ Selected }) => Selected).length;
  const lacking = (has: string, least: string) => `Proposal ${Id} ${has}; to be accepted it needs ${least}.`;
  if (options !== null && selected < options)
    return lacking(`has ${selected} of its options selected`, `${options} (MinimumOptions of its service)`);
  if (subtotal !== null && Subtotal < subtotal)
    return lacking(`comes to ${formatMoney(Subtotal)}`, `${formatMoney(subtotal)} (MinimumSubtotal of its service)`);
  return undefined;
}

/** The proposal, signed, with the evidence of what was signed; `acceptanceError` has found nothing against it. */
export function acceptProposalRecord(before: ProposalRecord, accepting: AcceptanceInput): Accepted {
  const { accountId, name, ipAddress, signature, at, sha256, depositInvoiceId } = accepting;
  const evidence: Evidence = {
    Proposal: signedContent(before),
    Acceptance: {
      AccountId: accountId,
      Name: name,
      IpAddress: ipAddress,
      AcceptedAt: new Date(at).toISOString(),
      SignatureType: signature.type,
      SignatureSha256: sha256(signature.bytes),
    },
  };
  const content = canonical(evidence);
  const proposal = {
    ...before,
    Status: ProposalStatus.Accepted,
    AcceptedAt: at,
    EvidenceSha256: sha256(content),
    DepositInvoiceId: depositInvoiceId,
  };
  return { proposal, content };
}

/** What may change of a proposal once it is signed, and what follows from others. */
const FREE: ReadonlySet<string> = new Set<keyof ProposalRecord>([
  'ProposalNotes',
  'OwnerUserId',
  'CustomFields',
  'Status',
  'OpenedAt',
  'ExpiresAt',
  'AccountingClass',
  'ChangeOrders',
  'BundledProposals',
  'Updated',
  'V',
]);

/** What the fields of a record are called in requests, where that is otherwise. */
const CALLED: Readonly<Record<string, string>> = {
  Lines: 'ProposalLines',
  RequestedQuantity: 'Quantity',
  Options: 'SelectedSolution',
};

/**
 * Why a signed proposal is not changed in what was signed, in a sentence that says what to do; `undefined` when nothing
 * of that changes.
 */
export function signedFieldError(before: ProposalRecord, after: ProposalRecord): string | undefined {
  if (!isSigned(before.Status)) return undefined;
  const all = Object.keys(after) as (keyof ProposalRecord)[];
  const changed = all.filter((name) => !FREE.has(name) && !isEqual(before[name], after[name]));
  if (!changed.length) return undefined;
  const named = changed.filter((name) => name !== 'Book').map((name) => CALLED[name] ?? name);
  const names = named.sort().join(', ') || 'what it is priced by';
  return (
    `Proposal ${before.Id} is ${proposalStatusName(before.Status)}, so ${names} cannot change. ` +
    `Make a change order: a new proposal with ChangeOrderForProposalId ${before.Id}.`
  );
}
