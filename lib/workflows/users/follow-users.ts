import type { FailedMessage, QueueOutcome, ReceivedMessage, WaitingMessage } from '../../shared/queues.ts';
import { openUserPool } from '../../sign-in/open-user-pool.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { accountOfKey } from '../../store/keys.ts';
import { followUser } from './follow-user.ts';
import { accountStore } from '../../store/store.ts';

const FIRST_RETRY_SECONDS = 30;
/** The user who still has the address is usually in the same batch. */
const FIRST_WAIT_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 15 * 60;

/**
 * Makes the user pool follow users, for a batch of the queue. If the pool is unavailable, their messages come again.
 */
export async function followUsers(table: TableWriter, messages: readonly ReceivedMessage[]): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  const waiting: WaitingMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const after = (first: number) => Math.min(first * 2 ** Math.min(message.receives - 1, 10), LONGEST_RETRY_SECONDS);
    try {
      const pool = await openUserPool(accountOfKey(message) ?? '');
      const steps = pool ? await followUser(accountStore(table, accountOfKey(message) ?? ''), pool, message) : [];
      if (steps.includes('waits')) waiting.push({ index, seconds: after(FIRST_WAIT_SECONDS) });
    } catch (error) {
      failures.push({ index, error, seconds: after(FIRST_RETRY_SECONDS) });
    }
  }
  return { done: messages.length - failures.length - waiting.length, failures, waiting };
}
