import { type PaymentProviderRecord, paymentProviderEntity } from '../entities/payments.ts';
import { type TakesPayments, providerOf } from '../domain/client-payments.ts';
import { TtlCache } from '../shared/caches.ts';
import type { TableReader, TableWriter } from './dynamodb/table.ts';
import { listRange } from './dynamodb/records.ts';
import { layout } from './keys.ts';

/** How the clients of an account pay: at most one provider an organization, and one of the company. */
export const listPaymentProviders = async (
  table: TableReader,
  account: string,
  { consistent = true } = {},
): Promise<PaymentProviderRecord[]> =>
  (await listRange(table, { partition: layout.paymentProvider.of({ account }), consistent })).map(
    paymentProviderEntity.readDeclared,
  );

/** The providers of accounts, up to 30 seconds old. */
const remembered = new TtlCache<readonly PaymentProviderRecord[]>({});

/** Which organizations of an account take payments on pages, up to 30 seconds old: as a rule that takes no request. */
export async function findTakesPayments(table: TableReader, account: string): Promise<TakesPayments> {
  const read = () => remembered.set(account, listPaymentProviders(table, account, { consistent: false }));
  const providers = await (remembered.get(account) ?? read());
  return (organization) => providerOf(providers, organization) !== undefined;
}

/**
 * The providers that a page shows, up to 30 seconds old. A form of it decides by the current ones, and so does a page
 * of an account without one, so that a new one shows at once.
 */
export async function listProvidersOfPage(
  table: TableReader,
  account: string,
): Promise<readonly PaymentProviderRecord[]> {
  const known = table.verification?.isBegun ? undefined : await remembered.get(account);
  return known?.length ? known : remembered.set(account, listPaymentProviders(table, account));
}

/** Stores a provider at once, in the place of the one before. Safe to repeat. */
export async function writePaymentProvider(
  table: TableWriter,
  account: string,
  provider: PaymentProviderRecord,
): Promise<void> {
  const key = layout.paymentProvider.key({ account, organization: provider.OrganizationId });
  await table.commit([{ put: { ...key, ...provider } }]);
  remembered.delete(account);
}

/** Removes a provider at once. Safe to repeat. */
export async function writePaymentProviderRemoval(
  table: TableWriter,
  account: string,
  organization: number,
): Promise<void> {
  await table.commit([{ remove: layout.paymentProvider.key({ account, organization }) }]);
  remembered.delete(account);
}
