import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Problem, errorMessage } from './problem.ts';

/** DynamoDB keeps stream records for 24 hours; the engine would keep them for ever. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * The engine asks for the highest sequence number on each write, by an expression that it has no index for: with 20,000
 * records in the stream a write takes 4.3 ms without these indexes and 0.3 ms with them.
 */
const indexes = `
  CREATE INDEX IF NOT EXISTS stream_by_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS stream_by_shard
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
`;

/**
 * Drops old records that the worker has handled. What it has not is kept, however long the stack was off, and so is the
 * last one: the engine counts on from it, and would begin again at 1 below the checkpoint.
 */
const forget = `
  DELETE FROM _stream_records
  WHERE shard_id = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER) AND created_at < ?
`;

/** What of a shard is handled: everything through this sequence number. */
export interface Handled {
  readonly shardId: string;
  readonly sequenceNumber: string;
}

const hasStream = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_stream_records'").get() !== undefined;

/**
 * Gives the engine's stopped file what it lacks. Waits a little for an engine that a killed stack has left, which ends
 * by itself.
 * @returns false when the file does not exist yet or the engine has not made its tables in it.
 */
export function prepareEngineFile(
  file: string,
  handled: readonly Handled[],
  now: Date,
  waitMilliseconds = 3_000,
): boolean {
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { timeout: waitMilliseconds });
  try {
    // In this mode SQLite lets us in only when nobody else has the file open.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const ready = hasStream(database);
    if (ready) {
      database.exec(indexes);
      const drop = database.prepare(forget);
      for (const { shardId, sequenceNumber } of handled)
        drop.run(shardId, sequenceNumber, Math.floor(now.getTime() / 1000) - KEPT_SECONDS);
    }
    database.exec('COMMIT');
    return ready;
  } catch (error) {
    const held = errorMessage(error).includes('locked');
    throw new Problem(
      held
        ? `The data file ${file} is in use by another program; stop that one.`
        : `The data file ${file} cannot be used: ${errorMessage(error)}.`,
    );
  } finally {
    database.close();
  }
}
