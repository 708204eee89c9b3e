import { type CheckoutTarget, listCheckouts } from '../../store/client-payments.ts';
import { listProvidersOfPage, providerOf } from '../../store/payment-providers.ts';
import type { ClientContext } from './client.ts';
import type { StoreReader } from '../../store/store.ts';

/** What a page says about payments of its record. */
export interface PaymentState {
  /** Whether clients of an organization can pay on pages now. */
  takesPayments(organization: number): boolean;
  /** Whether its provider takes only test payments, which move no money. */
  isTest(organization: number): boolean;
  /** Whether a bank is processing a payment, or its result is not known yet. */
  readonly isProcessing: boolean;
}

/** The providers of an account, and a record's payments under way. At most one round. */
export async function loadPaymentState(store: StoreReader, target: CheckoutTarget): Promise<PaymentState> {
  const [providers, checkouts] = await Promise.all([listProvidersOfPage(store), listCheckouts(store, target)]);
  return {
    takesPayments: (organization) => providerOf(providers, organization) !== undefined,
    isTest: (organization) => providerOf(providers, organization)?.IsTest ?? false,
    isProcessing: checkouts.some(({ State }) => State === 'processing'),
  };
}

/** Whether a client paid the invoice of a link: if it was voided meanwhile, the client still needs an answer. */
export const isPaidByClient = async ({ store, target }: ClientContext): Promise<boolean> =>
  (await listCheckouts(store, { Page: 'invoice', RecordId: target.id })).some(({ State }) => State === 'done');
