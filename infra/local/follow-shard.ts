import type { DynamoDBRecord } from 'aws-lambda';
import type { Pace } from './pace.ts';
import type { Reading } from './shard-reader.ts';

/** How far one shard is followed. */
export interface Follower {
  /**
   * Since when, at least, nothing waits in the shard; by the clock of `performance`, and -1 before anything is known.
   */
  emptyAt: number;
  /** Whether a batch may be under way. */
  busy: boolean;
}

/**
 * How long to wait for news that nobody nudges about: changes made by another process, like the command-line tool. From
 * 50 ms just after work to 250 ms in quiet times, when looking costs 1 % of a processor.
 */
export const idleMilliseconds = (quietRounds: number): number => Math.min(50 + 10 * quietRounds, 250);

/** Reads a shard batch by batch and hands each over, until the shard or the pump ends. Gives whether the shard did. */
export async function followShard(
  follower: Follower,
  reader: { next(): Promise<Reading> },
  handle: (records: readonly DynamoDBRecord[]) => Promise<void>,
  pace: Pace,
): Promise<boolean> {
  let quietRounds = 0;
  while (!pace.ended) {
    await pace.go();
    follower.busy = true;
    const askedAt = performance.now();
    const { records, ended } = await reader.next();
    if (records.length) await handle(records);
    else follower.emptyAt = askedAt;
    follower.busy = false;
    pace.progress.fire();
    if (ended) return !pace.ended;
    quietRounds = records.length ? 0 : quietRounds + 1;
    if (!records.length) await pace.quiet(askedAt, idleMilliseconds(quietRounds));
  }
  return false;
}
