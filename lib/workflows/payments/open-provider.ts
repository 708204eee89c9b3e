import type { PaymentProviderRecord } from '../../entities/payments.ts';
import type { PaymentProvider, ProviderKeys } from '../../payments/provider.ts';
import { stripeProvider } from '../../payments/stripe.ts';
import { collectErrors, invalid } from '../../shared/failure.ts';
import { seal, unseal } from '../../shared/web/sealed-text.ts';
import { listPaymentProviders, providerOf } from '../../store/payment-providers.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

/** Reads the deployment's key, which seals those of providers. */
export type ReadPaymentKey = () => Promise<string>;

/** A connected provider, ready to be called. */
export interface OpenedProvider {
  readonly provider: PaymentProvider;
  readonly record: PaymentProviderRecord;
}

/** What is needed to work with checkouts. */
export interface CheckoutContext {
  readonly store: StoreWriter;
  readonly opened: OpenedProvider;
  readonly now: Date;
}

const sealedName = (account: string, organization: number): string => `${account}.${organization}`;

async function open(account: string, record: PaymentProviderRecord, readKey: ReadPaymentKey): Promise<OpenedProvider> {
  const text = unseal(record.Keys, await readKey(), sealedName(account, record.OrganizationId));
  return { record, provider: stripeProvider(JSON.parse(text) as ProviderKeys) };
}

/** The provider by which clients of an organization pay, or `undefined`. One round. */
export async function openProviderOf(
  store: StoreReader,
  organizationId: number,
  readKey: ReadPaymentKey,
): Promise<OpenedProvider | undefined> {
  const record = providerOf(await listPaymentProviders(store), organizationId);
  return record && open(store.account, record, readKey);
}

/** The provider connected for exactly one organization, or for the company if it is 0. One round. */
export async function openConnectedProvider(
  store: StoreReader,
  organizationId: number,
  readKey: ReadPaymentKey,
): Promise<OpenedProvider | undefined> {
  const records = await listPaymentProviders(store);
  const record = records.find(({ OrganizationId }) => OrganizationId === organizationId);
  return record && open(store.account, record, readKey);
}

/** `sk_live_…`, or a restricted key `rk_live_…`; `test` in place of `live` moves no money. */
const SECRET_KEY = /^(?:sk|rk)_(?<mode>live|test)_\w{8,}$/;
const WEBHOOK_SECRET = /^whsec_[\w+/=]{8,}$/;

/** The record that connects a provider, with its keys sealed. Throws invalid if a key is not one of Stripe. */
export function connectedProvider(
  { secretKey, webhookSecret }: ProviderKeys,
  { account, organization, key, now }: { account: string; organization: number; key: string; now: Date },
): PaymentProviderRecord {
  const { mode } = SECRET_KEY.exec(secretKey)?.groups ?? {};
  const errors = collectErrors(
    ['SecretKey', !mode && 'must be a secret or restricted key of Stripe, like sk_live_… or rk_live_…', 'format'],
    [
      'WebhookSecret',
      !WEBHOOK_SECRET.test(webhookSecret) && 'must be the signing secret of a webhook, like whsec_…',
      'format',
    ],
  );
  if (errors.length) throw invalid(...errors);
  const keys: ProviderKeys = { secretKey, webhookSecret };
  return {
    OrganizationId: organization,
    Provider: 'Stripe',
    Keys: seal(JSON.stringify(keys), key, sealedName(account, organization)),
    IsTest: mode === 'test',
    KeyEnd: secretKey.slice(-4),
    ConnectedAt: now.getTime(),
  };
}

/** The path that the provider's webhook calls. */
export const webhookPath = (account: string, organization: number): string => `/c/stripe/${account}-${organization}`;

/** The account and organization, from the part of `webhookPath` after `/c/stripe/`. */
export function parseWebhookHandle(handle = ''): { account: string; organization: number } | undefined {
  const [, account, organization] = /^([a-z0-9]{1,64})-(\d{1,9})$/.exec(handle) ?? [];
  return account && organization ? { account, organization: Number(organization) } : undefined;
}
