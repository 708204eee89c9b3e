import type { Account } from '../../entities/accounts.ts';

/** The form of items that this version writes. Each step to it from an earlier one is in migrations.ts. */
export const CURRENT_SCHEMA = 11;

/** The oldest form that this version reads: that of 0.3, whose `account migrate` comes first where one is older. */
const OLDEST_SCHEMA = 11;

/** Why this version must not touch the items of an account, as a sentence; `undefined` where it may. */
export function schemaError({ AccountId, Schema = 1 }: Pick<Account, 'AccountId' | 'Schema'>): string | undefined {
  const has = `Account ${AccountId} has schema ${Schema}`;
  if (Schema > CURRENT_SCHEMA)
    return `${has}, and this version knows schemas up to ${CURRENT_SCHEMA}. Use the version that migrated it.`;
  if (Schema < OLDEST_SCHEMA)
    return `${has}, of a version before 0.3. Run account migrate ${AccountId} of version 0.3.0 first.`;
  return undefined;
}
