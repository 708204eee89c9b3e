import { existsSync, readFileSync } from 'node:fs';
import type { Handled } from './engine-file.ts';
import { replaceFile } from './folder.ts';

/** How far a shard of a stream is handled: through a sequence number, and whether it has ended there. */
export interface Checkpoint {
  readonly sequenceNumber?: string;
  readonly ended?: boolean;
}

/** The positions of one stream. */
export interface Checkpoints {
  of(shardId: string): Checkpoint;
  set(shardId: string, checkpoint: Checkpoint): void;
}

type Positions = Record<string, Record<string, Checkpoint>>;

/** Without a file, or with one that cannot be read, all is given again: the worker bears that. */
function read(file: string): Positions {
  if (!existsSync(file)) return {};
  try {
    const positions = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof positions === 'object' && positions !== null ? (positions as Positions) : {};
  } catch {
    return {};
  }
}

/**
 * The positions of a stream, kept in a file that is replaced after each batch. A process killed between a batch and its
 * checkpoint has the batch again: at least once, as with Lambda. A stream is known by its name, which is new with each
 * table.
 */
export function openCheckpoints(file: string, streamArn: string): Checkpoints {
  const positions = new Map(Object.entries(read(file)[streamArn] ?? {}));
  return {
    of: (shardId) => positions.get(shardId) ?? {},
    set(shardId, checkpoint) {
      positions.set(shardId, checkpoint);
      replaceFile(file, JSON.stringify({ [streamArn]: Object.fromEntries(positions) }));
    },
  };
}

/** What every one of the files says is handled, of all shards: each is of a consumer of its own. */
export function handledIn(files: readonly string[]): Handled[] {
  const [first = [], ...others] = files.map(handledBy);
  return first.flatMap(({ shardId, sequenceNumber }) => {
    const all = others.map((handled) => handled.find((of) => of.shardId === shardId)?.sequenceNumber);
    const known = [sequenceNumber, ...all].flatMap((number) => number ?? []);
    // Numbers of 21 digits and more.
    const least = known.reduce((one, other) => (BigInt(other) < BigInt(one) ? other : one));
    return known.length === files.length ? { shardId, sequenceNumber: least } : [];
  });
}

const handledBy = (file: string): Handled[] =>
  Object.values(read(file)).flatMap((shards) =>
    Object.entries(shards).flatMap(([shardId, { sequenceNumber }]) =>
      sequenceNumber ? [{ shardId, sequenceNumber }] : [],
    ),
  );
