import { add, subtract } from '../../shared/money.ts';
import { isSubscription } from '../subscriptions/recurrence.ts';
import { type ProposalWork, soldWork } from '../subscriptions/visit-appointment.ts';
import type { Visit } from '../subscriptions/visits.ts';
import { type ProposalRecord, expandBook } from './record.ts';
import { ProposalStatus, isSigned, mayBecome } from './status.ts';

/** Whether it sells one piece of work, whatever number of appointments that takes, and not a subscription's visits. */
export const isOneOff = ({ Book }: ProposalRecord): boolean => !isSubscription(expandBook(Book).service);

/** Whether what it sold is still to be invoiced. */
export const isToBeInvoiced = ({ Status }: Pick<ProposalRecord, 'Status'>): boolean =>
  mayBecome(Status, ProposalStatus.Invoiced);

/** All that a proposal which is no subscription comes to, as the one visit that it is. */
function wholeVisit(proposal: ProposalRecord): Visit {
  const lines = proposal.Lines.filter(({ Counts }) => Counts);
  return {
    number: 1,
    count: 1,
    date: proposal.Date,
    alternates: [],
    isInitial: false,
    service: subtract(proposal.Subtotal, add(...lines.map(({ ExtendedTotal }) => ExtendedTotal))),
    serviceTax: proposal.ServiceTax,
    lines: lines.map((line) => ({
      line,
      quantity: line.Quantity,
      extended: line.ExtendedTotal,
      tax: line.LineTax,
      minutes: line.Duration,
    })),
    subtotal: proposal.Subtotal,
    taxableSubtotal: proposal.TaxableSubtotal,
    tax: proposal.Tax,
    minutes: proposal.Duration,
  };
}

/**
 * What an appointment of a signed proposal does that is no subscription: all that was sold. `undefined` for any other.
 */
export const oneOffWork = (proposal: ProposalRecord): ProposalWork | undefined =>
  isSigned(proposal.Status) && isOneOff(proposal) ? soldWork(proposal, wholeVisit(proposal)) : undefined;
