import type { Change } from '../dynamodb/changes.ts';
import type { TableWriter } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';

const putsOf = (change: Change) => ('ahead' in change ? change.ahead.items : 'put' in change ? [change.put] : []);

/**
 * A table that looks for an e-mail or a phone only where a contact may have it: `taken` has the partitions of those of
 * all contacts, and grows with each commit. In an import most looks find nobody, and they are a third of its requests.
 *
 * A contact that somebody else adds meanwhile is noticed: it has the first number of its partition, for which the
 * commit then fails. The next attempt looks in the table, because the partition counts as taken then.
 */
export function lookupsAmong(table: TableWriter, account: string, taken: Set<string>): TableWriter {
  const prefixes = [
    layout.contactEmail.of({ account, email: '-' }).slice(0, -1),
    layout.contactPhone.of({ account, phone: '-' }).slice(0, -1),
  ];
  const isIdentity = (partition: string) => prefixes.some((prefix) => partition.startsWith(prefix));
  return {
    ...table,
    async query(range) {
      const isFree = range.index === undefined && isIdentity(range.partition) && !taken.has(range.partition);
      return isFree ? { items: [], next: undefined, read: 0 } : await table.query(range);
    },
    commit(changes, options) {
      for (const { PK } of changes.flatMap(putsOf)) if (isIdentity(PK)) taken.add(PK);
      return table.commit(changes, options);
    },
  };
}
