import { DAY } from '../../shared/time/time.ts';
import { findAccount, writeAccount } from '../accounts/accounts.ts';
import { createKey } from '../requests/api-keys.ts';
import { type TableWriter, ttlAfter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { accountStore } from '../store.ts';

/** The account of the canary alone; ids of other accounts have 12 characters. */
export const CANARY_ACCOUNT = 'canary';

/** The beginning of the public part of its keys: it may write no others. */
export const CANARY_KEY_PREFIX = 'canary';

/** The first organization of every account. */
const ORGANIZATION = 1;

/** The keys of one run. Calls with one bound to an organization read another index. */
export interface CanaryKeys {
  readonly ofAccount: string;
  readonly ofOrganization: string;
}

/** Writes the account unless it exists. Repeating it changes nothing. */
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
 * Writes two keys of the canary's account, which is written first if necessary, and returns them. They work for a day
 * and then leave the table. A repeated call writes others.
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
