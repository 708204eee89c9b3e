import { type CheckoutTarget, listCheckouts } from '../../store/client-payments.ts';
import { listProvidersOfPage, providerOf } from '../../store/payment-providers.ts';
import type { ClientContext } from './client.ts';
import type { StoreReader } from '../../store/store.ts';

/** What a page says about payments of its record. */
export interface PaymentState {
  /** Whether clients of an organization can pay on pages now. */
  takesPayments(organization: number): boolean;
  /** Whether its provider takes test payments only, with which no money moves. */
  isTest(organization: number): boolean;
  /** Whether a payment is under way at a bank, or its result is not known yet. */
  readonly isProcessing: boolean;
}

/** The providers of an account, and the payments of a record that are under way. At most one round. */
export async function loadPaymentState(store: StoreReader, target: CheckoutTarget): Promise<PaymentState> {
  const [providers, checkouts] = await Promise.all([listProvidersOfPage(store), listCheckouts(store, target)]);
  return {
    takesPayments: (organization) => providerOf(providers, organization) !== undefined,
    isTest: (organization) => providerOf(providers, organization)?.IsTest ?? false,
    isProcessing: checkouts.some(({ State }) => State === 'processing'),
  };
}

/** Whether a client paid the invoice of a link: one that was voided meanwhile still owes an answer. */
export const isPaidByClient = async ({ store, target }: ClientContext): Promise<boolean> =>
  (await listCheckouts(store, { Page: 'invoice', RecordId: target.id })).some(({ State }) => State === 'done');
