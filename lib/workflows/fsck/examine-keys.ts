import type { Change, Item } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { unchangedItem } from '../../store/derived-items.ts';
import { type Key, accountOfKey, attributes, layout } from '../../store/keys.ts';
import { SECOND } from '../../shared/time/time.ts';
import {
  correctedEntryChange,
  differingFields,
  missingEntryChanges,
  toApiKey,
  toKeyEntry,
} from '../../store/requests/api-keys.ts';
import type { Problem } from './problem.ts';

const unchanged = (item: Item): Change => ({ check: { PK: item.PK, SK: item.SK }, if: unchangedItem(item) });

/** Whether DynamoDB removes an item any day: of a session, it may have removed either of the two already. */
const isOver = (item: Item, now: Date): boolean => Number(item[attributes.timeToLive]) * SECOND <= now.getTime();

/** A key must be listed unchanged in its account, because that list revokes, rotates and suspends it. */
export async function examineApiKey(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  const item = await table.get(key);
  if (!item || isOver(item, now)) return [];
  const record = toApiKey(item);
  const accountKey = layout.account.key({ account: record.Account });
  const entryKey = layout.accountKey.key({ account: record.Account, public: record.Public });
  const leaseKey = layout.lease.key({ account: record.Account, kind: 'Key' });
  const [account, stored, lease] = await Promise.all([accountKey, entryKey, leaseKey].map((each) => table.get(each)));
  if (!account) {
    const changes: Change[] = [
      { remove: key, if: unchangedItem(item) },
      { check: accountKey, if: 'absent' },
    ];
    const message = `is of account ${record.Account}, which does not exist`;
    return [{ kind: 'entry', key, message, repair: { message: 'removes it', changes } }];
  }
  if (!stored) {
    const changes = [...missingEntryChanges(record, lease), unchanged(item)];
    const message = `is missing for key ${record.Public}, which works`;
    return [{ kind: 'entry', key: entryKey, message, repair: { message: 'writes it', changes } }];
  }
  const entry = toKeyEntry(stored);
  const names = differingFields(record, entry);
  if (!names.length) return [];
  const changes = [correctedEntryChange(entry, record), unchanged(item)];
  const message = `${names.sort().join(', ')} differ from the key`;
  return [{ kind: 'entry', key: entryKey, message, repair: { message: 'writes it again', changes } }];
}

/** Every entry in an account's list must be a key. */
export async function examineKeyEntry(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  const stored = await table.get(key);
  if (!stored || isOver(stored, now)) return [];
  const apiKey = layout.apiKey.key({ public: key.SK.slice('KEY#'.length) });
  const found = await table.get(apiKey);
  if (found?.['Account'] === accountOfKey(key)) return [];
  const message = 'is of a key that does not exist';
  const changes: Change[] = [
    { remove: key, if: unchangedItem(stored) },
    found ? unchanged(found) : { check: apiKey, if: 'absent' },
  ];
  return [{ kind: 'entry', key, message, repair: { message: 'removes it', changes } }];
}
