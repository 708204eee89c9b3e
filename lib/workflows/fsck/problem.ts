import type { Change } from '../../store/dynamodb/changes.ts';
import type { Key } from '../../store/keys.ts';

/**
 * What is checked: records, the event sequence, calendars, guards and lists, summaries and balances, index keys, ids.
 */
type ProblemKind = 'record' | 'sequence' | 'calendar' | 'guard' | 'entry' | 'summary' | 'index' | 'ids' | 'expiry';

/** Something in the table that contradicts something else. */
export interface Problem {
  readonly kind: ProblemKind;
  /** The key of the item that is wrong or missing. */
  readonly key: Key;
  readonly message: string;
  /** The version for which it is true: a problem does not count if its record changes between two looks. */
  readonly version?: number;
  /** Absent if a person must decide. */
  readonly repair?: Repair;
}

export interface Repair {
  /** What it does. */
  readonly message: string;
  /** One transaction, which requires the table to be as it was read. */
  readonly changes: readonly Change[];
}

/** Reads the current state of something in the table and compares it. */
export type Examine = () => Promise<readonly Problem[]>;
