import { setTimeout as pause } from 'node:timers/promises';
import { mapWithConcurrency } from '../../shared/promises.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { StoreConflict, retryUnavailable } from '../../store/dynamodb/errors.ts';
import { type ScanTable, accountOfItem } from '../../store/dynamodb/scan.ts';
import { type PassOptions, passTable } from '../../store/dynamodb/table-pass.ts';
import { hasDerivedItems, hasOwner } from '../../store/derived-items.ts';
import { entityAt } from '../../store/entities.ts';
import { type Key, keyText, toKey } from '../../store/keys.ts';
import { examineEntry, findUnclaimedEntries, isContactEntry } from './examine-entries.ts';
import { examineErasure } from './examine-erasure.ts';
import { type Restore, examineIds, examineIdsLeft } from './examine-ids.ts';
import { examineApiKey, examineKeyEntry } from './examine-keys.ts';
import { examineClassCodes, examinePostalShare, examineTerritory } from './examine-postal.ts';
import { examineLeaver } from './examine-leavers.ts';
import { examineCalendarEntry, examineOwnCalendars, examinePrivateTimes } from './examine-private-times.ts';
import { examineCalendarDay, examineOwner, examineRecord } from './examine-records.ts';
import { examineSequence } from './examine-sequence.ts';
import type { Examine, Problem } from './problem.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';

/** A problem that was seen twice, and its outcome. */
export interface Finding extends Problem {
  readonly account: string;
  readonly repaired: boolean;
}

export interface CheckOptions extends Pick<PassOptions, 'segments' | 'checkpoint'> {
  /** Only these accounts, at most 20; defaults to all. */
  readonly accounts?: readonly string[] | undefined;
  readonly repair: boolean;
  readonly restore?: Restore | undefined;
  readonly now: () => Date;
  readonly onFinding: (finding: Finding) => void;
  /** Pause between two looks at the same problem: a transaction in flight is visible by then. */
  readonly settleMilliseconds?: number;
}

/** Items examined at once. */
const CONCURRENCY = 16;
/** Repairs of one subject, each of which may reveal the next. */
const MAX_REPAIRS = 50;

/**
 * Compares everything in the table that is derived from something else, and repairs it on request. Reads the whole
 * table, a page at a time, and for each item the current state of everything that belongs to it. A problem counts if it
 * is seen twice, which excludes transactions in flight and concurrent changes; a repair is one transaction that
 * requires the table to be as it was read. Safe to repeat, and to interrupt. Returns the number of items.
 */
export function checkTable(table: TableWriter, scan: ScanTable, options: CheckOptions): Promise<number> {
  const { accounts, segments, checkpoint } = options;
  const concurrency = Math.ceil(CONCURRENCY / (segments ?? 1));
  return passTable(scan, { accounts, segments, checkpoint }, async (page) => {
    const subjects = page.map((item) => ({ key: toKey(item), account: accountOfItem(item) }));
    await examineEntries(table, subjects, options);
    await mapWithConcurrency(subjects, concurrency, async ({ key, account }) => {
      if (account === undefined) return;
      for (const examine of examinations(table, key, account, options))
        await report(accountStore(table, account), examine, options);
    });
    return page.length;
  });
}

/** Compares search entries with their contacts as a batch, because most items of a table are entries. */
async function examineEntries(
  table: TableWriter,
  subjects: readonly { readonly key: Key; readonly account: string | undefined }[],
  options: CheckOptions,
): Promise<void> {
  const entries = subjects.filter(({ key, account }) => account !== undefined && isContactEntry(key));
  for (const [account = '', own] of Map.groupBy(entries, (each) => each.account)) {
    const keys = own.map(({ key }) => key);
    for (const key of await retryUnavailable(() => findUnclaimedEntries(accountStore(table, account), keys)))
      await report(
        accountStore(table, account),
        () => examineEntry(accountStore(table, account), key, options.now()),
        options,
      );
  }
}

/** The examinations that an item calls for. */
function examinations(table: TableWriter, key: Key, account: string, { restore, now }: CheckOptions): Examine[] {
  const store = accountStore(table, account);
  const entity = entityAt(key);
  switch (entity) {
    case 'Account':
      return [
        () => examineSequence(store, now()),
        () => examineIdsLeft(store),
        ...(restore ? [() => examineIds(store, restore, now())] : []),
      ];
    case 'ApiKey':
      return [() => examineApiKey(table, key, now())];
    case 'AccountKey':
      return [() => examineKeyEntry(table, key, now())];
    case 'AccountingClass':
      return [() => examineRecord(table, key, now()), () => examineClassCodes(table, key)];
    case 'Calendar':
      return [() => examineCalendarDay(table, key, now()), () => examinePrivateTimes(table, key)];
    case 'ContactErasure':
      return [() => examineErasure(table, key, now())];
    case 'ServiceAgent':
      return [() => examineLeaver(table, key), () => examineOwnCalendars(table, key)];
    case 'AgentCalendars':
      return [() => examineCalendarEntry(table, key)];
    case 'PostalShare':
      return [() => examinePostalShare(table, key)];
    case 'Organization':
      return [() => examineRecord(table, key, now()), () => examineTerritory(table, key)];
    default:
      if (hasDerivedItems(entity)) return [() => examineRecord(table, key, now())];
      return hasOwner(entity) ? [() => examineOwner(table, key)] : [];
  }
}

const nameOf = ({ kind, key, version }: Problem): string => `${kind} ${keyText(key)} ${version ?? ''}`;

async function report({ table, account }: StoreWriter, examine: Examine, options: CheckOptions): Promise<void> {
  const { repair, onFinding, settleMilliseconds = 300 } = options;
  const look = () => retryUnavailable(examine);
  const first = await look();
  if (!first.length) return;
  const lookAgain = async (earlier: readonly Problem[]) => {
    const names = new Set(earlier.map(nameOf));
    await pause(settleMilliseconds);
    return (await look()).filter((problem) => names.has(nameOf(problem)));
  };
  let problems = await lookAgain(first);
  for (let left = repair ? MAX_REPAIRS : 0; left > 0; left--) {
    const problem = problems.find((each) => each.repair);
    if (!problem) break;
    if (await commitRepair(table, problem)) onFinding({ ...problem, account, repaired: true });
    const next = await look();
    problems = next.some((each) => each.repair) || !next.length ? [...next] : await lookAgain(next);
  }
  for (const problem of problems) onFinding({ ...problem, account, repaired: false });
}

/** Returns whether the repair was made; it was not if something has changed, which the next look finds. */
async function commitRepair(table: TableWriter, { repair }: Problem): Promise<boolean> {
  try {
    await table.commit(repair?.changes ?? []);
    return true;
  } catch (error) {
    if (error instanceof StoreConflict) return false;
    throw error;
  }
}
