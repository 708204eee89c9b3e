/** Statuses of a proposal by number (interface, section 7). */
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

/** Not answered yet. One that is open past its expiry stays here until a worker stores it as expired. */
export const isOpenProposal = (status: number | undefined): boolean =>
  status === ProposalStatus.Internal || status === ProposalStatus.Open;

/** The status at a moment: an open proposal past its time is Expired, whether or not that is stored yet. */
export const statusAt = (
  { Status, ExpiresAt }: { readonly Status: number; readonly ExpiresAt: number | null },
  now: number,
): number =>
  Status === ProposalStatus.Open && ExpiresAt !== null && ExpiresAt <= now ? ProposalStatus.Expired : Status;
