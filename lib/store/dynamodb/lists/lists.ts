import type { ListReader } from './list-reader.ts';
import type { IndexEntry, ListRanges } from './range-entries.ts';

/** Which records of a list are requested. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

interface List extends Page {
  readonly account: string;
  /** Whose list it is. */
  readonly reader?: ListReader | undefined;
  /** The query in full: its pages share lists. */
  readonly query: string;
}

/** A list with its number of matches. The first page reads every entry, by `orderKey`, and fixes the list. */
export interface CountedList<RecordType> extends List, ListRanges {
  /** Where entries are in the list; without those that do not belong. */
  readonly orderKeys: (entries: readonly IndexEntry[]) => Promise<readonly string[]>;
  readonly idAt: (orderKey: string) => number;
  /** Reads the records of entries, in their order, without those that are gone or do not belong. */
  readonly read: (ids: readonly number[]) => Promise<RecordType[]>;
}

/** Records of a list with a number. */
export interface CountedPage<RecordType> {
  readonly count: number;
  readonly records: RecordType[];
}

/** Entries of a list, in its order. */
export interface FoundEntries {
  readonly entries: readonly ListEntry[];
  /** Whether the list goes on behind them. */
  readonly hasMore: boolean;
  /** A criterion that the entries leave open: records must be compared with it. */
  readonly undecided?: string | undefined;
}

export interface ListEntry {
  readonly id: number;
  /** Orders the list, and a page continues behind it. */
  readonly orderKey: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly at?: number;
}

/** A list without a number. */
export interface UncountedList<RecordType extends { readonly Id: number }> extends List {
  /** Entries behind an order key: at least `count` and a few, unless the list ends. Throws RangeTooLarge. */
  readonly find: (after: string | undefined, count: number) => Promise<FoundEntries>;
  /** Reads the records of ids, in their order, without those that do not exist. */
  readonly read: (ids: readonly number[], options: { consistent: boolean }) => Promise<RecordType[]>;
  /** Whether a record belongs to the list. */
  readonly matches: (record: RecordType) => boolean;
  /** How many records may be read to compare them, or because an entry was outdated. */
  readonly maxCompared: () => number;
}

/** Records of a list without a number. */
export interface UncountedPage<RecordType> {
  readonly records: RecordType[];
  /** Whether it has fewer records than requested although more follow, behind `skip + take`: entries were outdated. */
  readonly isShort: boolean;
  /** Whether entries follow, behind `skip + take`: as a rule their records belong to the list. */
  readonly goesOn: boolean;
}

/** Entries that a list finds beyond a page, in case some of the page are outdated. */
export const SPARE_ENTRIES = 4;
