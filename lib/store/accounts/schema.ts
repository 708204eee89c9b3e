import type { Account } from '../../entities/accounts.ts';

/** The schema of items that this version writes. The steps to it from earlier ones are in migrations.ts. */
export const CURRENT_SCHEMA = 11;

/** The oldest schema that this version reads, that of 0.3. Older accounts need `account migrate` of 0.3 first. */
const OLDEST_SCHEMA = 11;

/** Why this version must not touch the items of an account, as a sentence; `undefined` if it may. */
export function schemaError({ AccountId, Schema = 1 }: Pick<Account, 'AccountId' | 'Schema'>): string | undefined {
  const has = `Account ${AccountId} has schema ${Schema}`;
  if (Schema > CURRENT_SCHEMA)
    return `${has}, and this version knows schemas up to ${CURRENT_SCHEMA}. Use the version that migrated it.`;
  if (Schema < OLDEST_SCHEMA)
    return `${has}, of a version before 0.3. Run account migrate ${AccountId} of version 0.3.0 first.`;
  return undefined;
}
