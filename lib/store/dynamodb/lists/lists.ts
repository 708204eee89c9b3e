import type { ListReader } from './list-reader.ts';

/** The requested part of a list. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

export interface List<RecordType> extends Page {
  readonly account: string;
  /** The reader who owns the list. */
  readonly reader?: ListReader | undefined;
  /** The complete query: its pages share lists. */
  readonly query: string;
  /**
   * Reads the records of ids, in their order, without those that are gone or do not belong to the list. With
   * `isCompared`, entries leave a criterion open, so many may not belong.
   */
  readonly read: (ids: readonly number[], isCompared: boolean) => Promise<RecordType[]>;
}

/** The entries of a whole list. */
export interface WholeList {
  /** In the order of the list, without duplicates. */
  readonly ids: readonly number[];
  /** Whether the records decide which of them belong to the list. */
  readonly isCompared?: boolean;
}

/** A list whose first page reads every entry, which fixes the list and its length for the other pages. */
export interface FixedList<RecordType> extends List<RecordType> {
  /** Throws RangeTooLarge. */
  readonly findAll: () => Promise<WholeList>;
}

/** Entries of a list, in its order. */
export interface FoundEntries {
  readonly entries: readonly ListEntry[];
  /** The order key through which the entries are complete; `undefined` if the list ends. */
  readonly through: string | undefined;
  /** Index entries that were read for them. */
  readonly read: number;
}

export interface ListEntry {
  readonly id: number;
  /** Orders the list; a page continues after it. */
  readonly orderKey: string;
}

/** A list in the order of its index: each page continues after the last entry of the previous one. */
export interface OrderedList<RecordType> extends List<RecordType> {
  /** About `count` entries after an order key. */
  readonly find: (after: string | undefined, count: number) => Promise<FoundEntries>;
  readonly isCompared?: boolean;
}

export interface PageRecords<RecordType> {
  /** As many as requested, unless the list ends. */
  readonly records: RecordType[];
  /** Whether entries follow after `skip + take`. */
  readonly hasMore: boolean;
}
