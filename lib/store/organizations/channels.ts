import { type Setting, completeEntry } from '../../domain/settings.ts';
import type { Channel } from '../../resources/channels.ts';
import type { Change } from '../dynamodb/changes.ts';
import { listSettingsWithVersions, settingTransactions } from '../settings.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

/** The channels of an account, with the versions that a change needs. */
export const listChannels = async (store: StoreReader): Promise<Setting<Channel>[]> =>
  (await listSettingsWithVersions(store, 'Channel')).map((setting) => ({
    ...setting,
    Value: completeEntry('Channel', setting.Value),
  }));

/** Stores changed channels, each only if it is unchanged since it was read. */
export const channelTransactions = (
  store: StoreAccount,
  read: readonly Setting<Channel>[],
  changed: readonly Channel[],
): Change[][] =>
  settingTransactions(
    store,
    changed.flatMap((Value) => {
      const before = read.find(({ Id }) => Id === Value.Id);
      return before ? [{ change: 'updated' as const, before, after: { ...before, V: before.V + 1, Value } }] : [];
    }),
  );
