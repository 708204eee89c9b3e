import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { createKey } from '../../../lib/store/requests/api-keys.ts';
import { type TableWriter, openTable } from '../../../lib/store/dynamodb/table.ts';
import { startTable } from '../stack/engine.ts';
import { type FaultyEngine, startFaultyEngine } from './faulty-engine.ts';
import { accountStore } from '../../../lib/store/store.ts';

/** A table of the test, reached over a line that injects errors. */
export interface FaultyTable {
  readonly line: FaultyEngine;
  /** The table without the line. */
  readonly sound: TableWriter;
  /** A new account with one organization and an Owner key without a practical rate limit. */
  newAccount(): Promise<{ accountId: string; key: string }>;
  stop(): Promise<void>;
}

/**
 * Starts an engine with the table and a line to it, and points the handlers of this process at the line. They wait for
 * it as long as in AWS.
 */
export async function startFaultyTable(): Promise<FaultyTable> {
  const engine = await startTable();
  const line = await startFaultyEngine(engine.endpoint);
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: line.endpoint, TABLE_WAIT_FACTOR: '1' });
  const sound = openTable({ endpoint: engine.endpoint });
  return {
    line,
    sound,
    async newAccount() {
      const now = new Date();
      const { account: accountId } = await writeAccount(sound, { name: 'Test company', now });
      const { key } = await createKey(accountStore(sound, accountId), {
        role: 'Owner',
        name: 'test',
        hasEvent: false,
        rate: 100_000,
        inFlight: 10_000,
        now,
      });
      return { accountId, key };
    },
    async stop() {
      await line.stop();
      await engine.stop();
    },
  };
}
