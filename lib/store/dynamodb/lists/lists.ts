import type { ListReader } from './list-reader.ts';

/** Which records of a list are requested. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

export interface List<RecordType> extends Page {
  readonly account: string;
  /** Whose list it is. */
  readonly reader?: ListReader | undefined;
  /** The query in full: its pages share lists. */
  readonly query: string;
  /**
   * Reads the records of ids, in their order, without those that are gone or do not belong to the list. `isCompared`:
   * entries leave a criterion open, so that many may not belong.
   */
  readonly read: (ids: readonly number[], isCompared: boolean) => Promise<RecordType[]>;
}

/** The entries of a whole list. */
export interface WholeList {
  /** In the order of the list, each once. */
  readonly ids: readonly number[];
  /** Whether records decide which of them belong to the list. */
  readonly isCompared?: boolean;
}

/** A list of which the first page reads every entry: that fixes the list and its number for the other pages. */
export interface FixedList<RecordType> extends List<RecordType> {
  /** Throws RangeTooLarge. */
  readonly findAll: () => Promise<WholeList>;
}

/** Entries of a list, in its order. */
export interface FoundEntries {
  readonly entries: readonly ListEntry[];
  /** The order key up to which these are all entries; `undefined` where the list ends. */
  readonly through: string | undefined;
  /** Index entries that were read for them. */
  readonly read: number;
}

export interface ListEntry {
  readonly id: number;
  /** Orders the list, and a page continues behind it. */
  readonly orderKey: string;
}

/** A list in the order of its index: each page continues behind the last entry of the one before. */
export interface OrderedList<RecordType> extends List<RecordType> {
  /** Entries behind an order key, about `count`. */
  readonly find: (after: string | undefined, count: number) => Promise<FoundEntries>;
  readonly isCompared?: boolean;
}

export interface PageRecords<RecordType> {
  /** As many as requested, unless the list ends. */
  readonly records: RecordType[];
  /** Whether entries follow, behind `skip + take`. */
  readonly hasMore: boolean;
}
