/** Statuses of a proposal, by their number (interface, section 7). */
export const PROPOSAL_STATUSES = [
  'Internal',
  'Open',
  'Accepted',
  'Declined',
  'Invoiced',
  'Scheduled',
  'Complete',
  'Expired',
] as const;
export type ProposalStatusName = (typeof PROPOSAL_STATUSES)[number];

export const ProposalStatus = {
  Internal: 0,
  Open: 1,
  Accepted: 2,
  Declined: 3,
  Invoiced: 4,
  Scheduled: 5,
  Complete: 6,
  Expired: 7,
} as const satisfies Record<ProposalStatusName, number>;

export const proposalStatusName = (status: number): ProposalStatusName => PROPOSAL_STATUSES[status] ?? 'Internal';

const MOVES: Readonly<Record<ProposalStatusName, readonly ProposalStatusName[]>> = {
  Internal: ['Open', 'Expired'],
  Open: ['Accepted', 'Declined', 'Expired'],
  Accepted: ['Invoiced', 'Scheduled'],
  Scheduled: ['Complete', 'Invoiced'],
  Invoiced: ['Complete'],
  Declined: ['Open'],
  Expired: ['Open'],
  Complete: [],
};

/** Whether a proposal may go from one status to the other; staying is no move. */
export const mayBecome = (from: number, to: number): boolean =>
  MOVES[proposalStatusName(from)].includes(proposalStatusName(to));

/** What it may become, in words, for a refusal. */
export const nextStatuses = (from: number): readonly ProposalStatusName[] => MOVES[proposalStatusName(from)];

/** Whether it has been signed: what it says and costs is fixed then. */
export const isSigned = (status: number): boolean =>
  status === ProposalStatus.Accepted ||
  status === ProposalStatus.Invoiced ||
  status === ProposalStatus.Scheduled ||
  status === ProposalStatus.Complete;

/**
 * The status as of a moment: one that waits for an answer beyond its time is Expired, whether or not that was written
 * yet.
 */
export const statusAt = (
  { Status, ExpiresAt }: { readonly Status: number; readonly ExpiresAt: number | null },
  now: number,
): number =>
  Status === ProposalStatus.Open && ExpiresAt !== null && ExpiresAt <= now ? ProposalStatus.Expired : Status;
