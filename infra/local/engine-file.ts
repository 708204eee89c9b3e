import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { streamWorkers } from '../../functions/workers/index.ts';
import { Problem, errorMessage } from './problem.ts';

/** DynamoDB keeps stream records for 24 hours, the engine forever. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Each write of the engine reads the highest sequence number by an expression without an index: with 20,000 records in
 * the stream, a write takes 4.3 ms without these indexes and 0.3 ms with them.
 */
const indexes = `
  CREATE INDEX IF NOT EXISTS stream_by_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS stream_by_shard
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
`;

/** The attribute names of an image that a consumer's filter requires. */
const imageAttributes = ({ dynamodb = {} }: { dynamodb?: object }): { image: string; name: string }[] =>
  Object.entries({ NewImage: 'new_image', OldImage: 'old_image' }).flatMap(([key, image]) =>
    Object.keys((dynamodb as Record<string, object>)[key] ?? {}).map((name) => ({ image, name })),
  );

const hasAttribute = ({ image, name }: { image: string; name: string }): string =>
  `instr(coalesce(NEW.${image}, ''), '"${name}":') > 0`;

/**
 * Whether a record may match a consumer's filter: it has every attribute that one of them requires. A nested attribute
 * with that name counts too; the consumers match exactly.
 */
const mayMatch = Object.values(streamWorkers)
  .flatMap(({ stream }) => stream.filters.map((filter) => imageAttributes(filter).map(hasAttribute).join(' AND ')))
  .map((condition) => `(${condition})`)
  .join(' OR ');

/**
 * The engine writes a record for every item, and most items are search entries, which no consumer gets: an import of
 * 5,000 contacts left 135,000 records, and 5,001 with this trigger.
 */
const leaveOutUnmatched = `
  DROP TRIGGER IF EXISTS leave_out_unmatched;
  CREATE TRIGGER leave_out_unmatched BEFORE INSERT ON _stream_records WHEN NOT (${mayMatch})
  BEGIN SELECT RAISE(IGNORE); END;
`;

/**
 * Deletes old records that the workers have handled. The last one is kept, because the engine continues its numbers
 * from it, and would otherwise restart at 1, below the checkpoint.
 */
const deleteHandled = `
  DELETE FROM _stream_records
  WHERE shard_id = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER) AND created_at < ?
`;

/** Everything in the shard up to this sequence number has been handled. */
export interface Handled {
  readonly shardId: string;
  readonly sequenceNumber: string;
}

const hasStream = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_stream_records'").get() !== undefined;

/**
 * Adds indexes and the trigger to the file of a stopped engine and deletes old records. Waits a little for an engine
 * that a killed stack left behind, which ends by itself.
 * @returns false if the file does not exist yet or the engine has not created its tables in it.
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
    // Succeeds only if no other process has the file open.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const isReady = hasStream(database);
    if (isReady) {
      database.exec(indexes);
      database.exec(leaveOutUnmatched);
      const remove = database.prepare(deleteHandled);
      for (const { shardId, sequenceNumber } of handled)
        remove.run(shardId, sequenceNumber, Math.floor(now.getTime() / 1000) - KEPT_SECONDS);
    }
    database.exec('COMMIT');
    return isReady;
  } catch (error) {
    const isLocked = errorMessage(error).includes('locked');
    throw new Problem(
      isLocked
        ? `The data file ${file} is in use by another program. Stop that program.`
        : `The data file ${file} cannot be used: ${errorMessage(error)}.`,
    );
  } finally {
    database.close();
  }
}
