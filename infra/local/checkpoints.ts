import { existsSync, readFileSync } from 'node:fs';
import type { Handled } from './engine-file.ts';
import { replaceFile } from './data-folder.ts';

/** The progress in a shard: the last sequence number, and whether the shard has ended there. */
export interface Checkpoint {
  readonly sequenceNumber?: string;
  readonly ended?: boolean;
}

/** The checkpoints of one stream. */
export interface Checkpoints {
  of(shardId: string): Checkpoint;
  set(shardId: string, checkpoint: Checkpoint): void;
  /** Replaces the file if a checkpoint has changed since. */
  save(): void;
}

type Positions = Record<string, Record<string, Checkpoint>>;

/** Without a readable file all records are delivered again, which the workers tolerate. */
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
 * The checkpoints of a stream, in a file. A process killed between a batch and the next `save` gets the batch again: at
 * least once, as with Lambda. A new table has a new stream name.
 */
export function openCheckpoints(file: string, streamArn: string): Checkpoints {
  const positions = new Map(Object.entries(read(file)[streamArn] ?? {}));
  let isSaved = true;
  return {
    of: (shardId) => positions.get(shardId) ?? {},
    set(shardId, checkpoint) {
      positions.set(shardId, checkpoint);
      isSaved = false;
    },
    save() {
      if (isSaved) return;
      replaceFile(file, JSON.stringify({ [streamArn]: Object.fromEntries(positions) }));
      isSaved = true;
    },
  };
}

/** What all consumers, each with its own file, have handled of each shard. */
export function findHandled(files: readonly string[]): Handled[] {
  const [first = [], ...others] = files.map(readHandled);
  return first.flatMap(({ shardId, sequenceNumber }) => {
    const all = others.map((handled) => handled.find((other) => other.shardId === shardId)?.sequenceNumber);
    const known = [sequenceNumber, ...all].flatMap((number) => number ?? []);
    // Sequence numbers have 21 digits and more.
    const lowest = known.reduce((one, other) => (BigInt(other) < BigInt(one) ? other : one));
    return known.length === files.length ? { shardId, sequenceNumber: lowest } : [];
  });
}

const readHandled = (file: string): Handled[] =>
  Object.values(read(file)).flatMap((shards) =>
    Object.entries(shards).flatMap(([shardId, { sequenceNumber }]) =>
      sequenceNumber ? [{ shardId, sequenceNumber }] : [],
    ),
  );
