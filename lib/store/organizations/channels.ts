import { type Setting, completeEntry } from '../../domain/settings.ts';
import type { Channel } from '../../resources/channels.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { listSettingsWithVersions, settingTransactions } from '../settings.ts';

/** The channels of an account, with the versions that a change needs. */
export const listChannels = async (table: TableReader, account: string): Promise<Setting<Channel>[]> =>
  (await listSettingsWithVersions(table, account, 'Channel')).map((setting) => ({
    ...setting,
    Value: completeEntry('Channel', setting.Value),
  }));

/** Stores changed channels, each only if the stored one is still the one that was read. */
export const channelTransactions = (
  account: string,
  read: readonly Setting<Channel>[],
  changed: readonly Channel[],
): Change[][] =>
  settingTransactions(
    account,
    changed.flatMap((Value) => {
      const before = read.find(({ Id }) => Id === Value.Id);
      return before ? [{ change: 'updated' as const, before, after: { ...before, V: before.V + 1, Value } }] : [];
    }),
  );
