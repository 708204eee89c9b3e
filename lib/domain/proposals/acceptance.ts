import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { canonical, isEqual } from '../../shared/objects.ts';
import { formatMoney } from '../../shared/money.ts';
import {
  type Evidence,
  type Signature,
  CHANGEABLE_AFTER_SIGNING,
  fixedFields,
  signedContent,
} from '../signing/evidence.ts';
import { isSigned, proposalStatusName, selectedOptionIds } from './record.ts';

/** Who accepts a proposal, how, from where and when. */
export interface AcceptanceInput {
  readonly account: string;
  readonly name: string;
  readonly ipAddress: string;
  readonly signature: Signature;
  /** The text that the client agreed to on a page. */
  readonly agreement?: string | undefined;
  /** The API key of a program that accepts on the client's behalf. */
  readonly key?: { readonly id: string; readonly name: string } | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
  readonly sha256: (of: Uint8Array | string) => string;
  /** `null` if no deposit is due. */
  readonly depositInvoiceId: number | null;
}

export interface AcceptedProposal {
  readonly proposal: ProposalRecord;
  /** The evidence, as the text whose SHA-256 is `proposal.EvidenceSha256`. */
  readonly content: string;
}

/** Why a proposal cannot be accepted at the moment; `undefined` if it can. */
export function acceptanceError(
  proposal: ProposalRecord,
  at: number,
): { readonly code: 'wrong_state' | 'requirement_missing'; readonly message: string } | undefined {
  const status = statusAt(proposal, at);
  if (status !== ProposalStatus.Open) {
    const message = `Proposal ${proposal.Id} is ${proposalStatusName(status)}. Only an Open proposal can be accepted.`;
    return { code: 'wrong_state', message };
  }
  const message = minimumError(proposal);
  return message === undefined ? undefined : { code: 'requirement_missing', message };
}

/** What an unsigned proposal still requires before proposal/accept, in words; `""` if nothing. */
export function describeAcceptance(proposal: ProposalRecord): string {
  if (isSigned(proposal.Status)) return '';
  const error = minimumError(proposal);
  if (error !== undefined) return `proposal/accept will fail: ${error}`;
  return proposal.Options.length && !selectedOptionIds(proposal).length
    ? `No option is selected, so only lines without an option count. ${SELECT_OPTION}`
    : '';
}

const SELECT_OPTION =
  'Select one with SelectedSolution, or several with Selected of the lines, before proposal/accept.';

/** A minimum of the proposal's service: of selected options, or of its subtotal. */
export interface Minimum {
  readonly kind: 'options' | 'subtotal';
  readonly minimum: number;
}

/** The minimum of its service that a proposal does not reach. */
export function missingMinimum(proposal: ProposalRecord): Minimum | undefined {
  // The signed proposal has met the minimums; a change order only adds to it.
  if (proposal.ChangeOrderForProposalId !== null) return undefined;
  const { MinimumOptions = null, MinimumSubtotal = null } = proposal.Book.Service;
  if (MinimumOptions !== null && selectedOptionIds(proposal).length < MinimumOptions)
    return { kind: 'options', minimum: MinimumOptions };
  if (MinimumSubtotal !== null && proposal.Subtotal < MinimumSubtotal)
    return { kind: 'subtotal', minimum: MinimumSubtotal };
  return undefined;
}

function minimumError(proposal: ProposalRecord): string | undefined {
  const { Id, Subtotal } = proposal;
  const { kind, minimum } = missingMinimum(proposal) ?? {};
  if (kind === undefined || minimum === undefined) return undefined;
  return kind === 'options'
    ? `Proposal ${Id} has ${selectedOptionIds(proposal).length} of its options selected; its service requires ` +
        `${minimum} (MinimumOptions).`
    : `Proposal ${Id} comes to ${formatMoney(Subtotal)}; its service requires ` +
        `${formatMoney(minimum)} (MinimumSubtotal).`;
}

/** The accepted proposal with the evidence of what was signed. Only call it if `acceptanceError` finds nothing. */
export function acceptedProposal(before: ProposalRecord, input: AcceptanceInput): AcceptedProposal {
  const { account, name, ipAddress, signature, agreement, key, at, sha256, depositInvoiceId } = input;
  const accepted = { ...before, Status: ProposalStatus.Accepted, AcceptedAt: at, DepositInvoiceId: depositInvoiceId };
  const evidence: Evidence = {
    Proposal: signedContent(before),
    Acceptance: {
      AccountId: account,
      Name: name,
      ...(agreement ? { Agreement: agreement } : {}),
      ...(key ? { ByKey: { Id: key.id, Name: key.name } } : {}),
      IpAddress: ipAddress,
      AcceptedAt: new Date(at).toISOString(),
      SignatureType: signature.type,
      SignatureSha256: sha256(signature.bytes),
      RecordSha256: sha256(fixedFields(accepted)),
    },
  };
  const content = canonical(evidence);
  return { proposal: { ...accepted, EvidenceSha256: sha256(content) }, content };
}

const CHANGEABLE: ReadonlySet<string> = new Set(CHANGEABLE_AFTER_SIGNING);

/** Request names of record fields that have another name there. */
const REQUEST_FIELDS: Readonly<Record<string, string>> = {
  Lines: 'ProposalLines',
  RequestedQuantity: 'Quantity',
  Options: 'SelectedSolution',
};

/** Why a signed proposal cannot be changed like this, in a sentence that says what to do; `undefined` if it can. */
export function signedFieldError(before: ProposalRecord, after: ProposalRecord): string | undefined {
  if (!isSigned(before.Status)) return undefined;
  const fields = Object.keys(after) as (keyof ProposalRecord)[];
  const changed = fields.filter((name) => !CHANGEABLE.has(name) && !isEqual(before[name], after[name]));
  if (!changed.length) return undefined;
  const requested = changed.filter((name) => name !== 'Book').map((name) => REQUEST_FIELDS[name] ?? name);
  const names = requested.sort().join(', ') || 'what its prices are based on';
  return (
    `Proposal ${before.Id} is ${proposalStatusName(before.Status)}, so ${names} cannot change. ` +
    `Make a change order: create a proposal with ChangeOrderForProposalId ${before.Id}.`
  );
}
