import { DAY } from '../../shared/time/time.ts';
import { findAccount, writeAccount } from './accounts.ts';
import { createKey } from '../requests/api-keys.ts';
import { type TableWriter, ttlAfter } from '../dynamodb/client.ts';
import { StoreConflict } from '../dynamodb/errors.ts';

/** The account of the canary alone; ids of other accounts have 12 characters. */
export const CANARY_ACCOUNT = 'canary';

/** The beginning of the public part of its keys: it may write no others. */
export const CANARY_KEY_PREFIX = 'canary';

/** Writes the account unless it exists. Repeating it changes nothing. */
async function writeCanaryAccount(table: TableWriter, now: Date): Promise<void> {
  if (await findAccount(table, CANARY_ACCOUNT)) return;
  try {
    await writeAccount(table, { accountId: CANARY_ACCOUNT, name: 'Canary', now });
  } catch (error) {
    // Another run was faster.
    if (!(error instanceof StoreConflict)) throw error;
  }
}

/**
 * Writes a key of the canary's account, which is written first if necessary, and returns it. The key works for a day
 * and then leaves the table. A repeated call writes another key.
 */
export async function writeCanaryKey(table: TableWriter, now: Date): Promise<string> {
  await writeCanaryAccount(table, now);
  const { key } = await createKey(table, {
    accountId: CANARY_ACCOUNT,
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
