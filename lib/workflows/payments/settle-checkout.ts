import type { CheckoutRecord } from '../../entities/payments.ts';
import type { Checkout, CheckoutPurpose } from '../../payments/provider.ts';
import { checkoutKey, findCheckout, writeCheckoutState } from '../../store/client-payments.ts';
import { asActor } from '../../store/dynamodb/actor.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import type { WriteContext } from '../context.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import type { CheckoutContext } from './open-provider.ts';
import { recordClientPayment } from './record-client-payment.ts';
import { recordDispute } from './record-dispute.ts';
import { recordRefund } from './record-refund.ts';
import { saveCard } from './save-card.ts';

const pages: readonly string[] = ['invoice', 'feedback', 'card'] satisfies CheckoutRecord['Page'][];

/** Whether a checkout is of this account, and of an organization whose provider has it. */
const isOurs = (
  purpose: CheckoutPurpose | undefined,
  account: string,
  { opened }: Pick<CheckoutContext, 'opened'>,
): purpose is CheckoutPurpose & { page: CheckoutRecord['Page'] } =>
  purpose !== undefined &&
  purpose.account === account &&
  pages.includes(purpose.page) &&
  Number.isSafeInteger(purpose.id) &&
  (opened.record.OrganizationId === 0 || opened.record.OrganizationId === purpose.organization);

/**
 * Records what became of a checkout, as the provider has it now, and returns its state; `undefined` for one that is not
 * ours. Writes at once. Safe to repeat, also concurrently: the return to the page, webhooks in any order and the worker
 * all come here, and each payment is recorded once. A caller that has read the stored checkout gives it as `stored`.
 */
export async function settleCheckout(
  { account, id, stored: known }: { readonly account: string; readonly id: string; readonly stored?: CheckoutRecord },
  context: CheckoutContext,
): Promise<Checkout['state'] | undefined> {
  const checkout = await context.opened.provider.findCheckout(id);
  const purpose = checkout?.purpose;
  if (!checkout || !isOurs(purpose, account, context)) return undefined;
  const { payment, card } = checkout;
  if (payment) await commit(context, account, (writing) => recordClientPayment({ purpose, payment }, writing));
  if (card) await commit(context, account, (writing) => saveCard({ purpose, card }, writing));
  const key = checkoutKey(account, { Page: purpose.page, RecordId: purpose.id }, id);
  const stored = known ?? (await findCheckout(context.table, key));
  if (stored) await writeCheckoutState(context.table, key, stored.State, checkout.state);
  return checkout.state;
}

/**
 * Records what came after a payment that the provider took: its refunds and disputes; first the payment itself where
 * its webhook is late. Writes at once. Safe to repeat.
 */
export async function settleAfterwards(
  { account, payment }: { readonly account: string; readonly payment: string },
  context: CheckoutContext,
): Promise<void> {
  const id = await context.opened.provider.findCheckoutOf(payment);
  if (id === undefined || (await settleCheckout({ account, id }, context)) === undefined) return;
  await recordAfterwards({ account, payment }, context);
}

/** The same for the payment of a checkout, where no webhook names it. */
export async function settleAfterCheckout(
  { account, id }: { readonly account: string; readonly id: string },
  context: CheckoutContext,
): Promise<void> {
  const checkout = await context.opened.provider.findCheckout(id);
  if (!checkout?.payment || !isOurs(checkout.purpose, account, context)) return;
  await recordAfterwards({ account, payment: checkout.payment.id }, context);
}

async function recordAfterwards(
  { account, payment }: { readonly account: string; readonly payment: string },
  context: CheckoutContext,
): Promise<void> {
  const { provider } = context.opened;
  for (const refund of await provider.listRefunds(payment))
    await commit(context, account, (writing) => recordRefund({ payment, refund }, writing));
  for (const dispute of await provider.listDisputes(payment))
    await commit(context, account, (writing) => recordDispute({ payment, dispute }, writing));
}

const commit = (
  { table, now, opened }: CheckoutContext,
  account: string,
  decide: (writing: WriteContext) => Promise<readonly Change[]>,
): Promise<void> => {
  const acting = asActor(table, { Key: '', Name: opened.record.Provider, RequestId: '' });
  return retryOnConflict(async () => {
    const changes = await decide({ table: acting, caller: accountCaller(account), now });
    if (changes.length) await acting.commit(changes);
  });
};
