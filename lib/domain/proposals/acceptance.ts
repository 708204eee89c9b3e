import { canonical } from '../canonical.ts';
import { blankInvoice, blankLine } from '../invoices/blank.ts';
import { InvoiceType, type InvoiceRecord } from '../invoices/record.ts';
import { withTotals } from '../invoices/totals.ts';
import { moneyText } from '../money-text.ts';
import { depositDue } from './deposit.ts';
import { signedContent, type Evidence } from './evidence.ts';
import type { ProposalRecord } from './record.ts';
import type { Signature } from './signature.ts';
import { ProposalStatus, proposalStatusName, statusAt } from './status.ts';

/** What somebody accepts a proposal with, and what an acceptance needs of outside. */
export interface Accepting {
  readonly accountId: string;
  readonly name: string;
  readonly ipAddress: string;
  readonly signature: Signature;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of bytes, or of a text as UTF-8, in hexadecimal. */
  readonly sha256: (of: Uint8Array | string) => string;
  /** Of the deposit invoice, where there is to be one (depositDue). */
  readonly deposit: Pick<InvoiceRecord, 'Id' | 'Number' | 'HashKey'> & { readonly lineId: number };
}

/** An acceptance, as it is to be stored. */
export interface Accepted {
  readonly proposal: ProposalRecord;
  readonly deposit: InvoiceRecord | undefined;
  /** The evidence as the one text whose SHA-256 is `proposal.EvidenceSha256`. */
  readonly content: string;
}

/** Why a proposal cannot be accepted at a moment, in a sentence; `undefined` when it can. */
export function acceptanceRefusal(proposal: ProposalRecord, at: number): string | undefined {
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
    return lacking(`comes to ${moneyText(Subtotal)}`, `${moneyText(subtotal)} (MinimumSubtotal of its service)`);
  return undefined;
}

function depositInvoice(proposal: ProposalRecord, { at, deposit }: Accepting): InvoiceRecord | undefined {
  const due = depositDue(proposal);
  if (due === 0) return undefined;
  const { Id: ProposalId, OrganizationId, ContactId, Zone, ServiceId, ServiceName, Title, DepositRate } = proposal;
  const { lineId, ...named } = deposit;
  const Description = `Deposit of ${DepositRate} % for ${Title || ServiceName || `proposal ${ProposalId}`}`;
  const line = blankLine({ Id: lineId, ServiceId: ServiceId || null, Description, Rate: due });
  const invoice = { ...named, OrganizationId, ContactId, Zone, ProposalId, InvoiceType: InvoiceType.Deposit };
  return withTotals(blankInvoice({ ...invoice, Created: at, Lines: [line] }));
}

/**
 * Accepts a proposal that acceptanceRefusal has nothing against: the proposal, signed, the evidence
 * of what was signed, and an open invoice of its deposit where it requires one: one line, which is not taxed, since the
 * tax of what is sold is in the total that the deposit is a share of.
 */
export function accept(before: ProposalRecord, accepting: Accepting): Accepted {
  const { accountId, name, ipAddress, signature, at, sha256 } = accepting;
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
  const deposit = depositInvoice(before, accepting);
  const proposal = {
    ...before,
    Status: ProposalStatus.Accepted,
    AcceptedAt: at,
    EvidenceSha256: sha256(content),
    DepositInvoiceId: deposit?.Id ?? null,
  };
  return { proposal, deposit, content };
}
