import type { CheckoutRecord } from '../../entities/payments.ts';

type Attempted = Pick<CheckoutRecord, 'State' | 'Created' | 'FailureDue'>;

/**
 * When the client of an invoice hears of the last attempt to pay that failed; `undefined` if no attempt
 * failed, the client has paid since, or a bank is at it.
 */
export function failureDueOf(checkouts: readonly Attempted[]): number | undefined {
  const due = Math.max(...checkouts.map(({ FailureDue = -Infinity }) => FailureDue));
  const failed = checkouts.find(({ FailureDue }) => FailureDue === due);
  if (!failed) return undefined;
  const isTriedSince = checkouts.some(
    ({ State, Created }) => Created >= failed.Created && (State === 'done' || State === 'processing'),
  );
  return isTriedSince ? undefined : due;
}
