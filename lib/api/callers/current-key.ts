import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { findKeyState } from '../../store/requests/api-keys.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/client.ts';
import { suspended, unauthorized } from './authenticate.ts';

async function checkKeyNow(table: TableReader, { Public }: ApiKeyRecord): Promise<void> {
  const state = await findKeyState(table, Public);
  if (state === 'revoked') throw unauthorized();
  if (state === 'suspended') throw suspended();
}

/**
 * The table for a call that writes: nothing is committed with a key that is revoked or suspended by now, whatever this
 * container remembers of it. The key is read with the first reads of the call, in the same request.
 */
export function whileKeyIsValid(table: TableWriter, key: ApiKeyRecord): TableWriter {
  const check = checkKeyNow(table, key);
  // A call that fails before it writes does not ask.
  check.catch(() => undefined);
  return {
    ...table,
    async commit(...input) {
      await check;
      return table.commit(...input);
    },
    async putMany(...input) {
      await check;
      return table.putMany(...input);
    },
  };
}
