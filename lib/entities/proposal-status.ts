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
