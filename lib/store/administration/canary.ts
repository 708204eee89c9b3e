import { DAY } from '../../shared/time/time.ts';
import { findAccount, writeAccount } from '../accounts/accounts.ts';
import { createKey } from '../requests/api-keys.ts';
import { type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { accountStore } from '../store.ts';

/** The canary's account; ids of other accounts have 12 characters. */
export const CANARY_ACCOUNT = 'canary';

/** The prefix of its keys' public parts: it may write no other keys. */
export const CANARY_KEY_PREFIX = 'canary';

/** The first organization of every account. */
const ORGANIZATION = 1;

/** The keys of one run. Calls with a key bound to an organization read another index. */
export interface CanaryKeys {
  readonly ofAccount: string;
  readonly ofOrganization: string;
}

/** Writes the account unless it exists. Safe to repeat. */
async function writeCanaryAccount(table: TableWriter, now: Date): Promise<void> {
  if (await findAccount(accountStore(table, CANARY_ACCOUNT))) return;
  try {
    await writeAccount(table, { account: CANARY_ACCOUNT, name: 'Canary', now });
  } catch (error) {
    // Another run was faster.
    if (!(error instanceof StoreConflict)) throw error;
  }
}

/**
 * Writes two keys for the canary's account, creating the account first if necessary, and returns them. They work for a
 * day and then leave the table. A repeated call writes new ones.
 */
export async function writeCanaryKeys(table: TableWriter, now: Date): Promise<CanaryKeys> {
  await writeCanaryAccount(table, now);
  const ofAccount = await writeCanaryKey(table, now, null);
  return { ofAccount, ofOrganization: await writeCanaryKey(table, now, ORGANIZATION) };
}

async function writeCanaryKey(table: TableWriter, now: Date, organizationId: number | null): Promise<string> {
  const { key } = await createKey(accountStore(table, CANARY_ACCOUNT), {
    organizationId,
    name: 'canary',
    role: 'Admin',
    publicPrefix: CANARY_KEY_PREFIX,
    expiresAt: now.getTime() + DAY,
    hasEvent: false,
    timeToLive: ttlAfter(now, (2 * DAY) / 1_000),
    now,
  });
  return key;
}
