import type { CheckoutRecord } from '../../entities/payments.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import type { FailedMessage, QueueMessage, QueueOutcome } from '../../shared/queues.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import { findCheckout, writeCheckoutState } from '../../store/client-payments.ts';
import { type TableWriter, withCurrentValues } from '../../store/dynamodb/table.ts';
import { writeDelayedMessages } from '../../store/events/delayed-messages.ts';
import { accountOfKey } from '../../store/keys.ts';
import { type ReadPaymentKey, openProviderOf } from './open-provider.ts';
import { settleAfterCheckout, settleCheckout } from './settle-checkout.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';

const FIRST_CHECK = 10 * MINUTE;
/** A bank transfer takes up to two weeks. */
const LONGEST = 30 * DAY;
/** When to look at a payment for refunds and disputes whose webhooks never came. Checkouts are kept for 60 days. */
const AFTERWARDS = [1, 3, 7, 14, 30, 45, 59].map((days) => days * DAY);

/**
 * When to look at a checkout next, in milliseconds since 1970: once while the client may still be there, once when it
 * is over, and every day while a bank processes it; a paid one several times in 59 days. `undefined` if nothing more
 * can happen.
 */
export function nextCheck({ State, Cents, Created, ExpiresAt }: CheckoutRecord, now: number): number | undefined {
  if (State === 'done') {
    const after = Cents ? AFTERWARDS.find((each) => Created + each > now) : undefined;
    return after === undefined ? undefined : Created + after;
  }
  if (State === 'over' || now - Created > LONGEST) return undefined;
  if (now < Created + FIRST_CHECK) return Created + FIRST_CHECK;
  const end = ExpiresAt + MINUTE;
  return now < end ? end : now + DAY;
}

/**
 * Asks the provider about checkouts whose webhook has not come, for a batch of their queue, and records what was paid.
 * Writes at once. Safe to repeat.
 */
export async function checkCheckouts(
  table: TableWriter,
  messages: readonly QueueMessage[],
  { now }: Pick<BatchOptions, 'now'>,
  readKey: ReadPaymentKey,
): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    try {
      const store = accountStore(withCurrentValues(table), accountOfKey(message) ?? '');
      await checkCheckout(store, message, now, readKey);
    } catch (error) {
      failures.push({ index, error });
    }
  }
  return { done: messages.length - failures.length, failures };
}

async function checkCheckout(
  store: StoreWriter,
  message: QueueMessage,
  now: Date,
  readKey: ReadPaymentKey,
): Promise<void> {
  const checkout = await findCheckout(store, message);
  if (!checkout || checkout.State === 'over') return;
  const isDue = now.getTime() >= checkout.Created + (checkout.State === 'done' ? DAY : FIRST_CHECK);
  const checked = isDue ? await settle(store, message, checkout, now, readKey) : checkout;
  const at = checked && nextCheck(checked, now.getTime());
  if (at !== undefined) await writeDelayedMessages(store.table, [{ queue: 'checkouts', message, at }]);
}

/** The checkout's current state at the provider. Without a provider it is over, because nobody can ask any more. */
async function settle(
  store: StoreWriter,
  key: QueueMessage,
  checkout: CheckoutRecord,
  now: Date,
  readKey: ReadPaymentKey,
): Promise<CheckoutRecord | undefined> {
  const opened = await openProviderOf(store, checkout.OrganizationId, readKey);
  if (checkout.State === 'done') {
    if (opened) await settleAfterCheckout(checkout.Checkout, { store, opened, now });
    return checkout;
  }
  const state = opened && (await settleCheckout(checkout.Checkout, { store, opened, now }, checkout));
  if (state === undefined) await writeCheckoutState(store, key, checkout.State, 'over');
  return { ...checkout, State: state ?? 'over' };
}
