import { findErasureAt, handOverChanges } from '../../store/contacts/erasures.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey } from '../../store/keys.ts';
import { isLeftAlone } from '../erasure/go-on-with-erasure.ts';
import type { Problem } from './problem.ts';

/** An erasure that was begun and stands still: a process was killed, or the worker has given it up. */
export async function examineErasure(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  const erasure = await findErasureAt(table, key);
  const account = accountOfKey(key);
  if (!erasure || !account || !isLeftAlone(erasure, now)) return [];
  const message = `the erasure of contact ${erasure.Id} is not done`;
  const changes = handOverChanges({ account }, erasure, { redactMentions: erasure.RedactMentions, now });
  return [{ kind: 'record', key, message, repair: { message: 'has the worker go on with it', changes } }];
}
