import { fold } from '../../shared/text/text.ts';

/** Statuses of a proposal, by their number (interface, section 7). */
export const ProposalStatus = {
  Internal: 0,
  Open: 1,
  Accepted: 2,
  Declined: 3,
  Invoiced: 4,
  Scheduled: 5,
  Complete: 6,
  Expired: 7,
} as const;
export type ProposalStatusName = keyof typeof ProposalStatus;
export const PROPOSAL_STATUSES = Object.keys(ProposalStatus) as readonly ProposalStatusName[];

/** The number of a status by its name in any case; `undefined` for an unknown name. */
export function findProposalStatus(name: string): number | undefined {
  const status = PROPOSAL_STATUSES.findIndex((each) => fold(each) === fold(name.trim()));
  return status < 0 ? undefined : status;
}

export const proposalStatusName = (status: number): ProposalStatusName => PROPOSAL_STATUSES[status] ?? 'Internal';

const TRANSITIONS: Readonly<Record<ProposalStatusName, readonly ProposalStatusName[]>> = {
  Internal: ['Open', 'Expired'],
  Open: ['Accepted', 'Declined', 'Expired'],
  Accepted: ['Invoiced', 'Scheduled'],
  Scheduled: ['Complete', 'Invoiced'],
  Invoiced: ['Complete'],
  Declined: ['Open'],
  Expired: ['Open'],
  Complete: [],
};

export const nextStatuses = (from: number): readonly ProposalStatusName[] => TRANSITIONS[proposalStatusName(from)];

/** Whether a proposal may go from one status to another; staying is not a transition. */
export const mayBecome = (from: number, to: number): boolean => nextStatuses(from).includes(proposalStatusName(to));

/** The invoices that bill a proposal, and its status before the first of them (see ProposalRecord.Billed). */
interface Billing {
  readonly Status: number;
  readonly Billed?: { readonly Invoices: readonly number[]; readonly Was: number | null };
}

/**
 * Whether what a proposal sold is still to be invoiced. A Complete one is, if it was marked so before anything invoiced
 * it, or if its invoice was voided.
 */
export const isToBeInvoiced = ({ Status, Billed }: Billing): boolean =>
  mayBecome(Status, ProposalStatus.Invoiced) ||
  (Status === ProposalStatus.Complete && Billed?.Invoices.length === 0 && Billed.Was !== null);

const SIGNED: readonly number[] = [
  ProposalStatus.Accepted,
  ProposalStatus.Invoiced,
  ProposalStatus.Scheduled,
  ProposalStatus.Complete,
];

/** Whether the client has accepted it: its content and prices are then fixed. */
export const isSigned = (status: number): boolean => SIGNED.includes(status);

/** The status at a moment: an open proposal beyond its time is Expired, whether or not that is stored yet. */
export const statusAt = (
  { Status, ExpiresAt }: { readonly Status: number; readonly ExpiresAt: number | null },
  now: number,
): number =>
  Status === ProposalStatus.Open && ExpiresAt !== null && ExpiresAt <= now ? ProposalStatus.Expired : Status;
