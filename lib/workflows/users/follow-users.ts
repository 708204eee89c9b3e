import type { FailedMessage, QueueOutcome, ReceivedMessage } from '../../shared/queues.ts';
import { openUserPool } from '../../sign-in/open-user-pool.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { accountOfKey } from '../../store/keys.ts';
import { followUser } from './follow-user.ts';

const FIRST_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 15 * 60;

/** Has the user pool follow users, for a batch of the queue. While the pool is away their messages come again. */
export async function followUsers(table: TableWriter, messages: readonly ReceivedMessage[]): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    try {
      const pool = await openUserPool(accountOfKey(message) ?? '');
      if (pool) await followUser(table, pool, message);
    } catch (error) {
      const seconds = FIRST_RETRY_SECONDS * 2 ** Math.min(message.receives - 1, 10);
      failures.push({ index, error, seconds: Math.min(seconds, LONGEST_RETRY_SECONDS) });
    }
  }
  return { done: messages.length - failures.length, failures };
}
