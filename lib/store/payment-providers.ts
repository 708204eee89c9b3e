import { type PaymentProviderRecord, paymentProviderEntity } from '../entities/payments.ts';
import type { TakesPayments } from '../domain/client-pages.ts';
import { CachedValues } from './dynamodb/cached-values.ts';
import { listRange } from './dynamodb/records.ts';
import { layout } from './keys.ts';
import type { StoreReader, StoreWriter } from './store.ts';

/** Stands for all organizations of the company without a provider of their own. */
export const WHOLE_COMPANY = 0;

/** The provider of an organization: its own, otherwise that of the company. */
export const providerOf = <Provider extends { readonly OrganizationId: number }>(
  providers: readonly Provider[],
  organization: number,
): Provider | undefined =>
  providers.find(({ OrganizationId }) => OrganizationId === organization) ??
  providers.find(({ OrganizationId }) => OrganizationId === WHOLE_COMPANY);

/** The payment providers of an account: at most one per organization, and one for the company. */
export const listPaymentProviders = async (
  { table, account }: StoreReader,
  { consistent = true } = {},
): Promise<PaymentProviderRecord[]> =>
  (await listRange(table, { partition: layout.paymentProvider.of({ account }), consistent })).map(
    paymentProviderEntity.readDeclared,
  );

/** The cache has one entry per account. */
const ALL = 'all';

const providers = new CachedValues<typeof ALL, readonly PaymentProviderRecord[]>({
  name: (key) => key,
  isConfigured: true,
  read: (store, _, options) => listPaymentProviders(store, options),
});

/** Which organizations of an account take payments on pages; remembered even in a call that writes. */
export async function findTakesPayments(store: StoreReader): Promise<TakesPayments> {
  const found = await providers.readRecent(store, ALL);
  return (organization) => providerOf(found, organization) !== undefined;
}

/** The providers that a page shows, and that decide what its forms do. */
export const listProvidersOfPage = (store: StoreReader): Promise<readonly PaymentProviderRecord[]> =>
  providers.read(store, ALL);

/** Stores a provider at once, replacing the previous one. Safe to repeat. */
export async function writePaymentProvider(
  { account, table }: StoreWriter,
  provider: PaymentProviderRecord,
): Promise<void> {
  const key = layout.paymentProvider.key({ account, organization: provider.OrganizationId });
  await table.commit([{ put: { ...key, ...provider } }]);
}

/** Removes a provider at once. Safe to repeat. */
export async function writePaymentProviderRemoval(
  { table, account }: StoreWriter,
  organizationId: number,
): Promise<void> {
  await table.commit([{ remove: layout.paymentProvider.key({ account, organization: organizationId }) }]);
}
