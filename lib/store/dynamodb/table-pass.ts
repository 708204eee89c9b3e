import type { Key } from '../keys.ts';
import type { Item } from './changes.ts';
import type { Scan, ScanTable } from './scan.ts';

/** The progress of a pass: for each segment the key after which it continues, and whether it has ended. */
export interface PassState {
  readonly segments: readonly SegmentState[];
  /** Sum of what `handle` returned for all pages so far. */
  readonly count: number;
}

interface SegmentState {
  readonly after?: Key | undefined;
  readonly isDone: boolean;
}

/** Where the progress of a pass is kept, so that another process can continue it. */
export interface Checkpoint {
  load(): PassState | undefined;
  save(state: PassState): void;
  clear(): void;
}

export interface PassOptions extends Pick<Scan, 'accounts' | 'isWhole' | 'sortKey'> {
  /** Number of parts of the table that are read in parallel. */
  readonly segments?: number | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/** Milliseconds between two saves. */
const SAVE_INTERVAL = 1_000;

/**
 * Passes every item of the table to `handle`, a page at a time in each segment, and returns the sum of the results. One
 * failure ends all segments. With a checkpoint the pass continues where the last one ended; pages that were not
 * finished then are repeated.
 */
export async function passTable(
  scan: ScanTable,
  { segments = 1, checkpoint, ...selection }: PassOptions,
  handle: (page: readonly Item[]) => number | Promise<number>,
): Promise<number> {
  const loaded = checkpoint?.load();
  const states: SegmentState[] = loaded
    ? [...loaded.segments]
    : Array.from({ length: segments }, () => ({ isDone: false }));
  let count = loaded?.count ?? 0;
  let savedAt = 0;
  let isStopped = false;
  const save = () => {
    savedAt = Date.now();
    checkpoint?.save({ segments: states, count });
  };
  const passSegment = async ({ after, isDone }: SegmentState, index: number) => {
    if (isDone) return;
    const part = states.length > 1 ? { segment: { index, of: states.length } } : {};
    const onPage = ({ next }: { next: Key | undefined }) => {
      states[index] = next ? { after: next, isDone: false } : { isDone: true };
      if (Date.now() >= savedAt + SAVE_INTERVAL) save();
    };
    const goesOn = () => !isStopped;
    for await (const page of scan({ ...selection, ...part, after, goesOn, onPage })) {
      // The sum is read after the wait, because other segments add to it meanwhile.
      const handled = await handle(page);
      count += handled;
    }
  };
  const stopAll = (error: unknown) => {
    isStopped = true;
    throw error;
  };
  const ends = await Promise.allSettled(states.map((state, index) => passSegment(state, index).catch(stopAll)));
  for (const end of ends)
    if (end.status === 'rejected') {
      save();
      throw end.reason;
    }
  checkpoint?.clear();
  return count;
}
