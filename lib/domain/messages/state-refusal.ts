import type { MessageKind } from '../../entities/message-kinds.ts';
import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import { Status } from '../appointments/record.ts';
import { type MessageRecordOf, isTooLate } from './decide.ts';
import { isToBePaid } from './plan.ts';

/** The statuses of visits that a message can be about, and what is wrong with others. */
const visits: Readonly<Partial<Record<MessageKind, readonly [statuses: readonly number[], otherwise: string]>>> = {
  VisitBooked: [[Status.Scheduled], 'The visit is not scheduled.'],
  VisitConfirm: [[Status.Tentative], 'The visit is not tentative.'],
  VisitMoved: [[Status.Scheduled, Status.Tentative], 'The visit is not scheduled.'],
  VisitCanceled: [[Status.Canceled, Status.Queued], 'The visit is not canceled.'],
  Reminder: [[Status.Scheduled], 'The visit is not scheduled.'],
  OnTheWay: [[Status.Started], 'The agent is not on the way.'],
  HowWasIt: [[Status.Completed], 'The visit is not completed.'],
};

/** Why a record as it is does not support a message; `undefined` if it does. */
export function stateRefusal(of: MessageRecordOf, kind: MessageKind, now: number): string | undefined {
  switch (of.noun) {
    case 'Appointment': {
      const [statuses, otherwise] = visits[kind] ?? [];
      if (statuses && !statuses.includes(of.record.Status)) return otherwise;
      return isTooLate(of.record, kind, { now, due: now }) ? 'The visit has begun.' : undefined;
    }
    case 'Proposal':
      if (kind === 'ProposalSigned') return of.record.AcceptedAt === null ? 'The proposal is not signed.' : undefined;
      return statusAt(of.record, now) === ProposalStatus.Open ? undefined : 'The proposal is not open.';
    case 'Invoice':
      return isToBePaid(of.record) ? undefined : 'The invoice is not to be paid.';
    case 'Payment':
      if (kind === 'Refund') return of.record.Amount < 0 ? undefined : 'The payment is no refund.';
      return of.record.Amount > 0 ? undefined : 'The payment is a refund.';
    default:
      return undefined;
  }
}
