import { toKey, keyText } from '../../store/keys.ts';
import { ProposalStatus } from '../../entities/proposal-status.ts';
import { backOff, mapWithConcurrency, retry } from '../../shared/promises.ts';
import { HOUR } from '../../shared/time/time.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { StoreUnavailable, retryOnConflict } from '../../store/dynamodb/errors.ts';
import {
  type ProposalExpiry,
  EXPIRY_SHARDS,
  OPEN_HOURS,
  findHourDone,
  findProposal,
  hourAt,
  listDueExpiries,
  pendingExpiry,
  proposalWithParentChanges,
  unchangedProposal,
  writeHourDone,
  writePostponedExpiry,
} from '../../store/sales/proposals.ts';
import { accountStore, type StoreWriter } from '../../store/store.ts';

export interface RunOptions {
  readonly now: Date;
  /** Until when the run may continue, in milliseconds since 1970. */
  readonly deadline: number;
}

export interface ExpiryOutcome {
  readonly expired: number;
  /** Why entries were postponed by an hour. */
  readonly failures: readonly unknown[];
  /** Whether due entries remain because the time was up or the table is unavailable. */
  readonly isUnfinished: boolean;
}

/** How far the first run looks back. */
const FIRST_HOURS = 48;

/**
 * Stores the status Expired for every expired proposal, in all accounts: works off the list of expiries from the hour
 * at which the last complete run ended, and so makes up for missed runs. While the table is unavailable it tries again
 * until the deadline. An entry that cannot be handled is postponed by an hour and does not delay the others. Writes at
 * once. Safe to repeat, also concurrently and after a kill: the change of a proposal also removes its entry.
 */
export async function expireProposals(table: TableWriter, options: RunOptions): Promise<ExpiryOutcome> {
  const run = new Run(table, options);
  const current = hourAt(options.now.getTime());
  let remaining: readonly number[] = [];
  try {
    const done = await run.whileUnavailable(() => findHourDone(table));
    const first = Math.min(current, (done ?? current - FIRST_HOURS) + 1);
    remaining = Array.from({ length: current - first + 1 }, (_, index) => first + index);
    for (let pass = 1; remaining.length && !run.isOver; pass++) {
      if (pass > 1) await backOff(pass, { firstWait: 250, longestWait: 10_000 });
      remaining = await run.workOff(remaining);
    }
    const through = Math.min(current - OPEN_HOURS, (remaining[0] ?? Infinity) - 1);
    if (through > (done ?? 0)) await run.whileUnavailable(() => writeHourDone(table, through));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { expired: run.expired, failures: run.failures, isUnfinished: true };
  }
  return { expired: run.expired, failures: run.failures, isUnfinished: remaining.length > 0 };
}

/** One run through the list: its results, and its deadline. */
class Run {
  expired = 0;
  readonly failures: unknown[] = [];
  readonly #table: TableWriter;
  readonly #options: RunOptions;

  constructor(table: TableWriter, options: RunOptions) {
    this.#table = table;
    this.#options = options;
  }

  get isOver(): boolean {
    return Date.now() > this.#options.deadline;
  }

  whileUnavailable<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const isTransient = (error: unknown) => error instanceof StoreUnavailable;
    return retry(attempt, { isTransient, deadline: this.#options.deadline });
  }

  /** Works off the hours and returns those with due entries left. */
  async workOff(hours: readonly number[]): Promise<number[]> {
    const unfinished: number[] = [];
    for (const hour of hours) {
      const shards = Array.from({ length: EXPIRY_SHARDS }, (_, shard) => shard);
      const done = this.isOver
        ? []
        : await mapWithConcurrency(shards, EXPIRY_SHARDS, (shard) => this.#workOffShard(hour, shard));
      if (done.length === 0 || done.includes(false)) unfinished.push(hour);
    }
    return unfinished;
  }

  /** Returns whether no due entry remains. A throttled account does not stop those after it. */
  async #workOffShard(hour: number, shard: number): Promise<boolean> {
    const { now } = this.#options;
    let isDone = true;
    let after: string | undefined;
    do {
      const range = { hour, shard, now, after };
      const page = await this.whileUnavailable(() => listDueExpiries(this.#table, range));
      for (const expiry of page.expiries) {
        if (this.isOver) return false;
        isDone = (await this.#handle(expiry)) && isDone;
      }
      after = page.next;
    } while (after !== undefined);
    return isDone;
  }

  /** Returns whether the entry is no longer due. */
  async #handle(expiry: ProposalExpiry): Promise<boolean> {
    const { now } = this.#options;
    try {
      if (await expireProposal(accountStore(this.#table, expiry.Account), expiry, now)) this.expired++;
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      this.failures.push(error);
    }
    try {
      await writePostponedExpiry(this.#table, expiry, Math.max(expiry.At, now.getTime()) + HOUR);
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Stores that a proposal has expired, removes it from its contact's open proposals, updates its parents and removes the
 * entry, in one transaction; returns whether it did. If a proposal is answered, open again or open for longer, only its
 * entry is removed or moved.
 */
function expireProposal(store: StoreWriter, expiry: ProposalExpiry, now: Date): Promise<boolean> {
  const { Id: id } = expiry;
  const removal: Change = { remove: toKey(expiry) };
  return retryOnConflict(async () => {
    const before = await findProposal(store, id);
    const pending = before && pendingExpiry(store, before);
    if (!before || !pending) {
      await store.table.commit([removal, ...(before ? [unchangedProposal(store, before)] : [])]);
      return false;
    }
    if ((before.ExpiresAt ?? 0) > now.getTime()) {
      const changes: Change[] = keyText(pending) === keyText(expiry) ? [] : [removal, { put: pending }];
      if (changes.length) await store.table.commit([...changes, unchangedProposal(store, before)]);
      return false;
    }
    const after = { ...before, Status: ProposalStatus.Expired };
    const { changes, contactSummary } = await proposalWithParentChanges(store, { before, after, now });
    // A change between its expiry and now may have left it in the list; removing it twice is harmless.
    const proposals = { ...contactSummary.proposals, [id]: undefined };
    const isRemoved = changes.some(
      (change) => 'remove' in change && 'PK' in change.remove && change.remove.SK === expiry.SK,
    );
    await store.table.commit([
      ...changes,
      ...(isRemoved ? [] : [removal]),
      ...contactSummaryChanges(store, before.ContactId, { proposals }, now),
    ]);
    return true;
  });
}
