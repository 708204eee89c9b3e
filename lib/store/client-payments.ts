import {
  type CheckoutRecord,
  type ClientPaymentRecord,
  checkoutEntity,
  clientPaymentEntity,
} from '../entities/payments.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import type { Change } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { listRange, versionedChange } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';
import { meantContactIds, ownKey } from './visibility.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

const KEPT_SECONDS = (60 * DAY) / SECOND;

/** What a checkout pays for. */
export type CheckoutTarget = Pick<CheckoutRecord, 'Page' | 'RecordId'>;

export const checkoutKey = (
  { account }: StoreAccount,
  { Page: page, RecordId: id }: CheckoutTarget,
  checkout: string,
): Key => layout.checkout.key({ account, page, id, checkout });

/** The checkouts of a record, oldest first. They are few, because an open one is reused. */
export async function listCheckouts(
  { table, account }: StoreReader,
  { Page: page, RecordId: id }: CheckoutTarget,
): Promise<CheckoutRecord[]> {
  const items = await listRange(table, { partition: layout.checkout.of({ account, page, id }), consistent: true });
  return items.map(checkoutEntity.readDeclared).sort((one, other) => one.Created - other.Created);
}

/** A checkout by its key; `undefined` if it was not made here, or more than 60 days ago. */
export async function findCheckout(store: StoreReader, key: Key): Promise<CheckoutRecord | undefined> {
  const item = await store.table.get(ownKey(store, key), { consistent: true });
  return item && checkoutEntity.readDeclared(item);
}

/** Stores a new checkout at once. Safe to repeat: an existing one stays as it is. */
export async function writeCheckout(store: StoreWriter, checkout: CheckoutRecord): Promise<void> {
  const { table } = store;
  const key = checkoutKey(store, checkout, checkout.Checkout);
  const TTL = ttlAfter(new Date(checkout.Created), KEPT_SECONDS);
  try {
    await table.commit([{ put: { ...key, ...checkout, TTL }, if: 'absent' }]);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/** Stores the state of a checkout at once, if it was made here. Safe to repeat; one that is done stays done. */
export async function writeCheckoutState(
  store: StoreWriter,
  key: Key,
  before: CheckoutRecord['State'],
  state: CheckoutRecord['State'],
): Promise<void> {
  if (before === state || before === 'done') return;
  try {
    await store.table.commit([
      { update: ownKey(store, key), set: { State: state }, if: { equals: { State: before } } },
    ]);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/**
 * The change that stores an attempt to pay that failed, once: it is refused if another run has stored it, or another
 * one.
 */
export const failedAttemptChange = (
  store: StoreAccount,
  before: CheckoutRecord,
  { FailedAttempt, FailureDue }: Required<Pick<CheckoutRecord, 'FailedAttempt' | 'FailureDue'>>,
): Change => ({
  update: checkoutKey(store, before, before.Checkout),
  set: { FailedAttempt, FailureDue },
  if: { equals: { FailedAttempt: before.FailedAttempt } },
});

const clientPaymentKey = ({ account }: StoreAccount, payment: string): Key =>
  layout.clientPayment.key({ account, payment });

/**
 * The record of a payment at the provider, which exists once the payment is recorded. Follows merges of its contact.
 */
export async function findClientPayment(store: StoreReader, payment: string): Promise<ClientPaymentRecord | undefined> {
  const { table } = store;
  const item = await table.get(clientPaymentKey(store, payment), { consistent: true });
  if (!item) return undefined;
  const record = clientPaymentEntity.read(item);
  const ContactId = record.ContactId && (await meantContactIds(store, record.ContactId)).at(-1);
  return { ...record, ContactId: ContactId ?? record.ContactId };
}

/**
 * The change that stores it, if it is unchanged since it was read: of two concurrent webhooks only one records a
 * payment.
 */
export const clientPaymentChange = (
  store: StoreAccount,
  { before, after, now }: { before: ClientPaymentRecord | undefined; after: ClientPaymentRecord; now: Date },
): Change =>
  versionedChange(clientPaymentEntity, clientPaymentKey(store, after.Payment), {
    before,
    after: { ...after, Updated: now.getTime() },
  }).change;
