import type { TableReader } from './client.ts';
import { Memory } from './memory.ts';
import { listSettings, type SettingKind } from './settings.ts';

const lists = new Memory<unknown[]>();

/** One of the account's small lists, up to 30 seconds old. */
export const cachedList = <Value>(
  table: TableReader,
  account: string,
  kind: SettingKind,
  now: Date,
): Promise<Value[]> =>
  lists.recall(`${account}#${kind}`, now, () => listSettings(table, account, kind)) as Promise<Value[]>;
