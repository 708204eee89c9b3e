import type { CheckoutRecord } from '../../entities/payments.ts';
import { hasMessages } from '../../delivery/has-messages.ts';
import { SECOND } from '../../shared/time/time.ts';
import { failedAttemptChange } from '../../store/client-payments.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import { triggerChange } from '../../store/events/message-plans.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import type { CheckoutContext } from './open-provider.ts';

/**
 * Stores that an attempt to pay an invoice failed, and when its client hears of it: after the delay, by which most
 * clients have paid by another card. Whoever gives a tip or saves a card sees on the page that it failed. Writes at
 * once. Safe to repeat, also concurrently: each attempt is stored once.
 */
export async function writeFailedAttempt(
  before: CheckoutRecord,
  attempt: string,
  { store, now }: Pick<CheckoutContext, 'store' | 'now'>,
): Promise<void> {
  const { Page: page, RecordId: id, FailedAttempt, OrganizationId } = before;
  if (page !== 'invoice' || FailedAttempt === attempt) return;
  const { isOn, delaySeconds } = await findMessageSettings(store, OrganizationId);
  const at = now.getTime() + delaySeconds * SECOND;
  const trigger = { noun: 'Invoice', id, topic: 'CardFailed', at } as const;
  const isAnnounced = isOn && hasMessages();
  try {
    await store.table.commit([
      failedAttemptChange(store, before, { FailedAttempt: attempt, FailureDue: at }),
      ...(isAnnounced ? [triggerChange(store, trigger, now)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}
