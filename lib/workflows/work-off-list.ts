import type { BatchOptions } from '../shared/batch.ts';
import { mapWithConcurrency } from '../shared/promises.ts';
import { StoreUnavailable } from '../store/dynamodb/errors.ts';

/** What a run did with the due entries of a list. */
export interface ListOutcome {
  readonly done: number;
  /** Why entries stay for the next run. */
  readonly failures: readonly unknown[];
  /** Whether due entries remain, because the time was up or the table is unavailable. */
  readonly isUnfinished: boolean;
}

/** Lists a page of due entries of one part of the list. */
type ListDue<Entry> = (
  after: string | undefined,
) => Promise<{ readonly entries: readonly Entry[]; readonly next: string | undefined }>;

/**
 * Works off the due entries of a list, all parts at once. `handle` returns whether it did the work of an entry; one
 * that fails stays for the next run, and holds up no other.
 */
export async function workOffList<Entry>(
  parts: readonly ListDue<Entry>[],
  { deadline }: Pick<BatchOptions, 'deadline'>,
  handle: (entry: Entry) => Promise<boolean>,
): Promise<ListOutcome> {
  const failures: unknown[] = [];
  let done = 0;
  let isUnfinished = false;
  const workOff = async (listDue: ListDue<Entry>): Promise<void> => {
    let after: string | undefined;
    do {
      const page = await listDue(after);
      for (const entry of page.entries) {
        if (Date.now() > deadline) throw new StoreUnavailable('The time of the run is over.');
        const isDone = await handle(entry).catch((error: unknown) => {
          if (error instanceof StoreUnavailable) throw error;
          failures.push(error);
          return false;
        });
        if (isDone) done++;
      }
      after = page.next;
    } while (after !== undefined);
  };
  await mapWithConcurrency(parts, parts.length, (part) =>
    workOff(part).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      isUnfinished = true;
    }),
  );
  return { done, failures, isUnfinished };
}
