import { type PaymentProviderRecord, paymentProviderEntity } from '../entities/payments.ts';
import { type TakesPayments, providerOf } from '../domain/client-payments.ts';
import { TtlCache } from '../shared/caches.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
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

const remembered = new TtlCache<TakesPayments>({});

/** Which organizations of an account take payments on pages, up to 30 seconds old: as a rule that takes no request. */
export const findTakesPayments = (table: TableReader, account: string): Promise<TakesPayments> =>
  remembered.get(account) ?? remembered.set(account, readTakesPayments(table, account));

async function readTakesPayments(table: TableReader, account: string): Promise<TakesPayments> {
  const providers = await listPaymentProviders(table, account, { consistent: false });
  return (organization) => providerOf(providers, organization) !== undefined;
}

/** Providers of pages; an account without one is not remembered, so that a new one shows at once. */
const connected = new TtlCache<readonly PaymentProviderRecord[] | undefined>({});

async function listConnected(table: TableReader, account: string) {
  const providers = await listPaymentProviders(table, account);
  return providers.length ? providers : undefined;
}

/** The providers that a page shows, up to 30 seconds old; a form of it decides by the current ones. */
export async function listProvidersOfPage(
  table: TableReader,
  account: string,
): Promise<readonly PaymentProviderRecord[]> {
  if (table.verification?.isBegun) return listPaymentProviders(table, account);
  const known = connected.get(account) ?? connected.set(account, listConnected(table, account));
  return (await known) ?? [];
}

function forget(account: string): void {
  remembered.delete(account);
  connected.delete(account);
}

/** Stores a provider at once, in the place of the one before. Safe to repeat. */
export async function writePaymentProvider(
  table: TableWriter,
  account: string,
  provider: PaymentProviderRecord,
): Promise<void> {
  const key = layout.paymentProvider.key({ account, organization: provider.OrganizationId });
  await table.commit([{ put: { ...key, ...provider } }]);
  forget(account);
}

/** Removes a provider at once. Safe to repeat. */
export async function writePaymentProviderRemoval(
  table: TableWriter,
  account: string,
  organization: number,
): Promise<void> {
  await table.commit([{ remove: layout.paymentProvider.key({ account, organization }) }]);
  forget(account);
}
