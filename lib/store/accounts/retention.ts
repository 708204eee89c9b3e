import type { RetentionRules } from '../../domain/retention.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';

/** An account with retention rules. */
export interface AccountRetention extends RetentionRules {
  readonly Account: string;
}

const keyOf = (account: string) => layout.retention.key({ account });

export async function findRetention(table: TableReader, account: string): Promise<RetentionRules> {
  const { CallDays, NoteDays, FileDays } = ((await table.get(keyOf(account))) ?? {}) as RetentionRules;
  return { CallDays, NoteDays, FileDays };
}

/** The accounts with rules: the only ones that a run looks at. */
export const listRetentions = async (table: TableReader): Promise<AccountRetention[]> =>
  (await listRange(table, { partition: layout.retention.of({}) })) as unknown as AccountRetention[];

/** Stores the rules of an account. Safe to repeat. */
export async function writeRetentionRules(table: TableWriter, account: string, rules: RetentionRules): Promise<void> {
  const set = Object.entries(rules).filter(([, days]) => days !== undefined);
  const isEmpty = set.length === 0;
  await table.putMany(
    isEmpty ? [] : [{ ...keyOf(account), Account: account, ...Object.fromEntries(set) }],
    isEmpty ? [keyOf(account)] : [],
  );
}
