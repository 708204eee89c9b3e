import { type Setting, completeEntry } from '../../domain/settings.ts';
import type { Channel } from '../../resources/channels.ts';
import { MAX_TRANSACTION_BYTES, jsonByteLength } from '../../shared/limits.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/client.ts';
import { listSettingsWithVersions, settingChanges } from '../settings.ts';

/** The channels of an account, with the versions that a change needs. */
export const listChannels = async (table: TableReader, account: string): Promise<Setting<Channel>[]> =>
  (await listSettingsWithVersions(table, account, 'Channel')).map((setting) => ({
    ...setting,
    Value: completeEntry('Channel', setting.Value),
  }));

/** Stores changed channels, each only if the stored one is still the one that was read. */
export const channelChanges = (
  account: string,
  read: readonly Setting<Channel>[],
  changed: readonly Channel[],
): Change[] =>
  settingChanges(
    account,
    changed.flatMap((Value) => {
      const before = read.find(({ Id }) => Id === Value.Id);
      return before ? [{ change: 'updated' as const, before, after: { ...before, V: before.V + 1, Value } }] : [];
    }),
  );

/** Leaves room for the saved response, which shares the transaction. */
const MAX_CHANGES = 90;
const MAX_BYTES = MAX_TRANSACTION_BYTES - 1_000_000;

/** The changes in order, in as few transactions as hold them. */
export function splitTransactions(changes: readonly Change[]): Change[][] {
  const transactions: Change[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = jsonByteLength(change);
    const last = transactions.at(-1);
    if (last && last.length < MAX_CHANGES && bytes + size <= MAX_BYTES) {
      last.push(change);
      bytes += size;
    } else {
      transactions.push([change]);
      bytes = size;
    }
  }
  return transactions;
}
