import type { AddOnPart } from '../../entities/appointments.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { Input } from '../../resources/fields.ts';
import { add, subtract } from '../../shared/money.ts';
import { isSubscription } from '../subscriptions/recurrence.ts';
import { type ProposalWork, visitWork } from '../subscriptions/visit-appointment.ts';
import type { Visit } from '../subscriptions/visits.ts';
import { expandBook, isSigned } from './record.ts';

/** Whether it sells one piece of work, in any number of appointments, and not the visits of a subscription. */
export const isOneOff = ({ Book }: ProposalRecord): boolean => !isSubscription(expandBook(Book).service);

/** A whole proposal that is not a subscription, as its only visit. */
function wholeVisit(proposal: ProposalRecord): Visit {
  const lines = proposal.Lines.filter(({ Counts }) => Counts);
  return {
    number: 1,
    count: 1,
    date: proposal.Date,
    rule: '',
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

/** The work of an appointment for a signed proposal that is not a subscription: everything sold; else `undefined`. */
export const oneOffWork = (proposal: ProposalRecord): ProposalWork | undefined =>
  isSigned(proposal.Status) && isOneOff(proposal) ? visitWork(proposal, wholeVisit(proposal)) : undefined;

type PartInput = Input<typeof AddOnPart>;

/** The requested parts beyond those sold, each with its index in the request; or the sold part that a line changes. */
export type AddedParts =
  | { readonly kind: 'added'; readonly lines: readonly PartInput[]; readonly indexes: readonly number[] }
  | { readonly kind: 'changed'; readonly part: AddOnPart };

const isUnchanged = (input: number | null | undefined, current: number | null): boolean =>
  input === undefined || input === null || input === current;

/** Typed clients send back what they read; a price of 0 counts as none. */
const repeats = ({ PartId, Quantity, UnitPrice, Discount }: PartInput, part: AddOnPart): boolean =>
  PartId === part.PartId &&
  isUnchanged(Quantity, part.Quantity) &&
  (isUnchanged(UnitPrice, part.UnitPrice) || UnitPrice === 0) &&
  isUnchanged(Discount, part.Discount);

/**
 * The parts added to those sold. Sold parts stay whether or not a line repeats them. A line of a sold part that does
 * not repeat it is a change, unless other lines repeat everything sold of the part: for 2 screens, `[2]` and `[]` add
 * nothing, `[2, 1]` adds 1, and `[3]` is a change.
 */
export function findAddedParts(soldParts: readonly AddOnPart[], lines: readonly PartInput[]): AddedParts {
  const unrepeated = [...soldParts];
  const others = [...lines.entries()].filter(([, line]) => {
    const index = unrepeated.findIndex((part) => repeats(line, part));
    if (index >= 0) unrepeated.splice(index, 1);
    return index < 0;
  });
  const part = unrepeated.find(({ PartId }) => others.some(([, line]) => line.PartId === PartId));
  if (part) return { kind: 'changed', part };
  return { kind: 'added', lines: others.map(([, line]) => line), indexes: others.map(([index]) => index) };
}
