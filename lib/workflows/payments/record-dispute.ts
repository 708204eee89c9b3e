import type { ProviderDispute } from '../../payments/provider.ts';
import { formatMoney } from '../../shared/money.ts';
import { toUtc } from '../../shared/time/time.ts';
import { clientPaymentChange, findClientPayment } from '../../store/client-payments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { WriteContext } from '../context.ts';
import { paymentTask } from './record-client-payment.ts';
import { moveParts } from './record-refund.ts';

/**
 * The changes that a dispute of a client's payment makes: a task for the office when it begins, and one when it ends. A
 * dispute that is lost takes the money off as a refund does. None where its state is known, or the payment is not ours.
 */
export async function recordDispute(
  { payment, dispute }: { readonly payment: string; readonly dispute: ProviderDispute },
  context: WriteContext,
): Promise<readonly Change[]> {
  const { table, caller, now } = context;
  const before = await findClientPayment(table, caller.accountId, payment);
  const known = before?.Disputes.find(({ Dispute }) => Dispute === dispute.id);
  if (!before || known?.State === dispute.state || (known && known.State !== 'open')) return [];
  const { OrganizationId, ContactId } = before;
  const others = before.Disputes.filter((each) => each !== known);
  const after = { Disputes: [...others, { Dispute: dispute.id, State: dispute.state }] };
  const task = await paymentTask({ OrganizationId, ContactId, Description: describe(payment, dispute) }, context);
  const changes =
    dispute.state === 'lost'
      ? await moveParts({ before, refund: { ...dispute, isFailed: false, method: 'Dispute' }, after }, context)
      : [clientPaymentChange(caller.accountId, { before, after: { ...before, ...after }, now })];
  return [...changes, task];
}

function describe(payment: string, { id, cents, reason, state, answerBy }: ProviderDispute): string {
  const amount = formatMoney(cents / 100);
  switch (state) {
    case 'open': {
      const until = answerBy === undefined ? '' : ` by ${toUtc(answerBy)}`;
      return (
        `A client disputes ${amount} of payment ${payment} at the bank (${reason}). ` +
        `Answer at Stripe${until}: ${id}.`
      );
    }
    case 'won':
      return `The dispute ${id} of ${amount} of payment ${payment} is over, and the company keeps the money.`;
    case 'lost':
      return (
        `The dispute ${id} of ${amount} of payment ${payment} is lost: the client has the money back, which is ` +
        "recorded as a refund. Stripe's fee is not."
      );
  }
}
