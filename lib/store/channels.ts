import { type Setting, completeEntry } from '../domain/settings.ts';
import type { Channel } from '../resources/channels.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { findSettings, listSettingsWithVersions, settingChanges } from './settings.ts';

/** Channels of the account with all their campaigns, as they are at this moment. */
export const listChannels = async (table: TableReader, account: string): Promise<Channel[]> =>
  (await listSettingsWithVersions(table, account, 'Channel')).map(({ Value }) =>
    completeEntry<Channel>('Channel', Value),
  );

/** The channels of these ids, as far as they exist, with the versions that a change needs. */
export const findChannels = async (
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Setting<Channel>[]> =>
  (await findSettings(table, account, 'Channel', ids)).map((setting) => ({
    ...setting,
    Value: completeEntry<Channel>('Channel', setting.Value),
  }));

/** The changes that store channels in their new state, each where it still is what was read. */
export const channelChanges = (
  account: string,
  read: readonly Setting<Channel>[],
  changed: readonly Channel[],
): Change[] =>
  changed.flatMap((channel) => {
    const before = read.find(({ Id }) => Id === channel.Id);
    return before
      ? settingChanges(account, [{ change: 'updated', before, after: { ...before, V: before.V + 1, Value: channel } }])
      : [];
  });

/** A transaction takes 100 changes and 4 MB; room is left for the answer that is kept with it. */
const MAX_CHANGES = 90;
const MAX_BYTES = 3_000_000;

/** The changes in as few transactions as they fit into, in order. */
export function splitTransactions(changes: readonly Change[]): Change[][] {
  const transactions: Change[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change));
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
