import type { Caller } from '../store/requests/caller.ts';
import type { TableReader, TableWriter } from '../store/dynamodb/table.ts';

/** What a workflow that only reads is given: the table, who calls, and the moment of the call. */
export interface ReadContext {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  /** A client calls by a page, and not a key. */
  readonly isClient?: boolean;
  /** Adds a sentence to Message of the answer. */
  readonly remark?: (sentence: string) => void;
}

/** What a workflow that returns changes is given. It reserves ids with the table and commits nothing. */
export interface WriteContext extends ReadContext {
  readonly table: TableWriter;
}
