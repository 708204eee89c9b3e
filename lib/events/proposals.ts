import { dateMidnight } from '../domain/appointments/times.ts';
import { toUtc } from '../domain/moments-out.ts';
import type { ProposalRecord } from '../domain/proposals/record.ts';
import { ProposalStatus, statusAt } from '../domain/proposals/status.ts';
import { proposalOf } from '../domain/proposals/view.ts';
import type { Image } from './image.ts';
import type { EntityKind } from './kinds.ts';

const recordOf = (image: Image): ProposalRecord => image as unknown as ProposalRecord;

/** What has happened when the status becomes this one. */
const becoming: Readonly<Record<number, string>> = {
  [ProposalStatus.Open]: 'proposal.opened',
  [ProposalStatus.Accepted]: 'proposal.accepted',
  [ProposalStatus.Declined]: 'proposal.declined',
  [ProposalStatus.Invoiced]: 'proposal.invoiced',
  [ProposalStatus.Scheduled]: 'proposal.scheduled',
  [ProposalStatus.Complete]: 'proposal.completed',
  [ProposalStatus.Expired]: 'proposal.expired',
};

/**
 * The status that an operation answered upon the change. A change of one whose time has run out before that was written
 * tells of its expiry, and what is written later changes nothing any more.
 */
const statusOf = (proposal: ProposalRecord): number => statusAt(proposal, proposal.Updated);

function kindOf(was: ProposalRecord, is: ProposalRecord): string {
  const status = statusOf(is);
  // Voiding its invoice makes it what it was before: nobody accepts or schedules it by that.
  if (was.Status === ProposalStatus.Invoiced && status !== ProposalStatus.Complete) return 'proposal.updated';
  // Opened anew although its expiry was never written: only the moment differs.
  const again = status === ProposalStatus.Open && was.OpenedAt !== is.OpenedAt;
  return (statusOf(was) === status && !again ? undefined : becoming[status]) ?? 'proposal.updated';
}

/** Changes of proposals. Beside what operations answer, `Data` has the evidence of acceptance, and when it expires. */
export const proposal: EntityKind = {
  kinds: { created: 'proposal.created', updated: 'proposal.updated', deleted: 'proposal.deleted' },
  transactionKind: 2,
  transaction: (image) => {
    const { Date: date, Zone, Subtotal: subtotal } = recordOf(image);
    return { date: dateMidnight(date, Zone), subtotal };
  },
  resource(image, { baseUrl, lists }) {
    const record = recordOf(image);
    const { EvidenceSha256, ExpiresAt, Updated: now } = record;
    return {
      ...proposalOf(record, { baseUrl, now, contact: null, definitions: lists.customFields }),
      EvidenceSha256,
      ExpiresAt: ExpiresAt === null ? null : toUtc(ExpiresAt),
    };
  },
  contactId: ({ ContactId }) => ContactId as number,
  updated: ({ before, after }) => (before && after ? kindOf(recordOf(before), recordOf(after)) : undefined),
};
