import type { CheckoutRecord } from '../../entities/payments.ts';
import type { Checkout, CheckoutPurpose, ProviderDispute, SavedCard } from '../../payments/provider.ts';
import { formatMoney } from '../../shared/money.ts';
import { toUtc } from '../../shared/time/time.ts';
import {
  checkoutKey,
  clientPaymentChange,
  findCheckout,
  findClientPayment,
  writeCheckoutState,
} from '../../store/client-payments.ts';
import { findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import { asActor } from '../../store/dynamodb/table.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import type { WriteContext } from '../context.ts';
import type { CheckoutContext } from './open-provider.ts';
import { paymentTask, recordClientPayment } from './record-client-payment.ts';
import { writeFailedAttempt } from './failed-attempt.ts';
import { moveParts, recordRefund } from './record-refund.ts';

/**
 * Records what the payment provider reports: the outcome of a checkout with its payment or card, and later refunds and
 * disputes.
 */

const pages: readonly string[] = ['invoice', 'feedback', 'card'] satisfies CheckoutRecord['Page'][];

/** Whether a checkout belongs to this account, and to an organization with this provider. */
const isOurs = (
  purpose: CheckoutPurpose | undefined,
  { store, opened }: Pick<CheckoutContext, 'store' | 'opened'>,
): purpose is CheckoutPurpose & { page: CheckoutRecord['Page'] } =>
  purpose !== undefined &&
  purpose.account === store.account &&
  pages.includes(purpose.page) &&
  Number.isSafeInteger(purpose.id) &&
  (opened.record.OrganizationId === 0 || opened.record.OrganizationId === purpose.organization);

/**
 * Records what became of a checkout, according to the provider, and returns its state; `undefined` if it was not made
 * here. Writes at once. Safe to repeat, also concurrently: the return to the page, webhooks in any order and the worker
 * all call it, and each payment is recorded once. A caller that has read the stored checkout passes it as `known`.
 */
export async function settleCheckout(
  id: string,
  context: CheckoutContext,
  known?: CheckoutRecord,
): Promise<Checkout['state'] | undefined> {
  const checkout = await context.opened.provider.findCheckout(id);
  const purpose = checkout?.purpose;
  if (!checkout || !isOurs(purpose, context)) return undefined;
  const { payment, card } = checkout;
  if (payment) await commit(context, (writing) => recordClientPayment({ purpose, payment }, writing));
  const { store } = context;
  const key = checkoutKey(store, { Page: purpose.page, RecordId: purpose.id }, id);
  const stored = known ?? (await findCheckout(store, key));
  if (card) {
    // The provider has whole seconds: a card saved in the same second in which another was removed is later.
    const at = Math.max(card.at, stored?.Created ?? 0);
    await commit(context, (writing) => saveCard({ purpose, card: { ...card, at } }, writing));
  }
  if (stored) await writeCheckoutState(store, key, stored.State, checkout.state);
  const { failedAttempt } = checkout;
  if (stored && failedAttempt !== undefined) await writeFailedAttempt(stored, failedAttempt, context);
  return checkout.state;
}

/** Does the same for the checkout of an attempt to pay that failed. */
export async function settleAttempt(payment: string, context: CheckoutContext): Promise<void> {
  const id = await context.opened.provider.findCheckoutOf(payment);
  if (id !== undefined) await settleCheckout(id, context);
}

/**
 * Records what follows a payment that the provider took: its refunds and disputes; first the payment itself if its
 * webhook is late. Writes at once. Safe to repeat.
 */
export async function settleAfterwards(payment: string, context: CheckoutContext): Promise<void> {
  const id = await context.opened.provider.findCheckoutOf(payment);
  if (id === undefined || (await settleCheckout(id, context)) === undefined) return;
  await recordAfterwards(payment, context);
}

/** Does the same for the payment of a checkout that no webhook names. */
export async function settleAfterCheckout(id: string, context: CheckoutContext): Promise<void> {
  const checkout = await context.opened.provider.findCheckout(id);
  if (!checkout?.payment || !isOurs(checkout.purpose, context)) return;
  await recordAfterwards(checkout.payment.id, context);
}

async function recordAfterwards(payment: string, context: CheckoutContext): Promise<void> {
  const { provider } = context.opened;
  for (const refund of await provider.listRefunds(payment))
    await commit(context, (writing) => recordRefund({ payment, refund }, writing));
  for (const dispute of await provider.listDisputes(payment))
    await commit(context, (writing) => recordDispute({ payment, dispute }, writing));
}

const commit = (
  { store, now, opened }: CheckoutContext,
  decide: (writing: WriteContext) => Promise<readonly Change[]>,
): Promise<void> => {
  const acting = asActor(store.table, { Key: '', Name: opened.record.Provider, RequestId: '' });
  return retryOnConflict(async () => {
    const changes = await decide({ store: { ...store, table: acting }, caller: accountCaller(store.account), now });
    if (changes.length) await acting.commit(changes);
  });
};

/**
 * The changes for a dispute of a client's payment: a task for the office when it begins, and one when it ends. A lost
 * dispute takes the money off as a refund does. None if its state is known, or the payment belongs elsewhere.
 */
async function recordDispute(
  { payment, dispute }: { readonly payment: string; readonly dispute: ProviderDispute },
  context: WriteContext,
): Promise<readonly Change[]> {
  const { store, now } = context;
  const before = await findClientPayment(store, payment);
  const known = before?.Disputes.find(({ Dispute }) => Dispute === dispute.id);
  if (!before || known?.State === dispute.state || (known && known.State !== 'open')) return [];
  const { OrganizationId, ContactId } = before;
  const others = before.Disputes.filter((each) => each !== known);
  const after = { Disputes: [...others, { Dispute: dispute.id, State: dispute.state }] };
  const task = await paymentTask({ OrganizationId, ContactId, Description: describe(payment, dispute) }, context);
  const changes =
    dispute.state === 'lost'
      ? await moveParts({ before, refund: { ...dispute, isFailed: false, method: 'Dispute' }, after }, context)
      : [clientPaymentChange(store, { before, after: { ...before, ...after }, now })];
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

/** The changes that store the card a client saved at the provider; none if a later one is stored. */
async function saveCard(
  { purpose, card }: { readonly purpose: CheckoutPurpose; readonly card: SavedCard },
  { store, now }: WriteContext,
): Promise<readonly Change[]> {
  const before = await findContact(store, purpose.id);
  if (!before || before.OrganizationId !== purpose.organization || (before.PmtOnFileSavedAt ?? 0) >= card.at) return [];
  const after = {
    ...before,
    PmtOnFileKind: card.kind,
    PmtOnFileLast4: card.last4,
    PmtOnFileExpDate: card.expires,
    PmtOnFileCustomer: card.customer,
    PmtOnFileSavedAt: card.at,
  };
  return updateContactChanges(store, { before, after, now });
}
