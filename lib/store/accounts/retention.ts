import { type AccountRetention, retentionEntity, retentionProgressEntity } from '../../entities/accounts.ts';
import type { RetentionRules } from '../../domain/retention.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

const keyOf = ({ account }: StoreAccount) => layout.retention.key({ account });

export async function findRetention(store: StoreReader): Promise<RetentionRules> {
  const { table, account } = store;
  const item = await table.get(keyOf(store));
  const { CallDays, NoteDays, FileDays } = retentionEntity.read(item ?? { Account: account });
  return { CallDays, NoteDays, FileDays };
}

/** Accounts with rules that are read in one request. */
const PAGE = 100;

/** The accounts with rules, each once: those after `last` in the order of their ids, then the others. */
export async function* listRetentionsBehind(
  table: TableReader,
  last: string | undefined,
): AsyncGenerator<AccountRetention, void> {
  const partition = layout.retention.of({});
  const ranges =
    last === undefined
      ? [{ partition }]
      : [
          { partition, after: last },
          { partition, to: last },
        ];
  for (const range of ranges) {
    let after: string | undefined;
    do {
      const page = await table.query({ ...range, ...(after === undefined ? {} : { after }), limit: PAGE });
      yield* page.items.map(retentionEntity.read);
      after = page.next;
    } while (after !== undefined);
  }
}

/** The account that was processed last. */
export const findLastTurn = async (table: TableReader): Promise<string | undefined> =>
  retentionProgressEntity.read((await table.get(layout.retentionProgress.key({}))) ?? {}).Account;

/** Stores the account that was processed last. Safe to repeat. */
export const writeLastTurn = async ({ table, account }: StoreWriter): Promise<void> => {
  await table.update({ update: layout.retentionProgress.key({}), set: { Account: account } });
};

/** Stores the rules of an account; an account that keeps everything has no item. Safe to repeat. */
export async function writeRetentionRules(store: StoreWriter, rules: RetentionRules): Promise<void> {
  const { table, account } = store;
  const { CallDays, NoteDays, FileDays } = rules;
  const days = Object.entries({ CallDays, NoteDays, FileDays });
  const set = days.filter(([, value]) => value !== undefined);
  if (set.length === 0) return table.putMany([], [keyOf(store)]);
  const remove = days.filter(([, value]) => value === undefined).map(([name]) => name);
  await table.update({ update: keyOf(store), set: { Account: account, ...Object.fromEntries(set) }, remove });
}
