import { findErasureAt, handOverChanges } from '../../store/contacts/erasures.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey } from '../../store/keys.ts';
import { isLeftAlone } from '../erasure/go-on-with-erasure.ts';
import type { Problem } from './problem.ts';
import { accountStore } from '../../store/store.ts';

/** An erasure that has begun and stalled: a process was killed, or the worker has given it up. */
export async function examineErasure(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  const account = accountOfKey(key);
  const store = account && accountStore(table, account);
  const erasure = store && (await findErasureAt(store, key));
  if (!erasure || !isLeftAlone(erasure, now)) return [];
  const message = `the erasure of contact ${erasure.Id} is not done`;
  const changes = handOverChanges(store, erasure, { redactMentions: erasure.RedactMentions, now });
  return [{ kind: 'record', key, message, repair: { message: 'has the worker go on with it', changes } }];
}
