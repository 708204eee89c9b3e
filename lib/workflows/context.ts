import type { Caller } from '../store/requests/caller.ts';
import type { TableReader } from '../store/dynamodb/table.ts';
import { type CallerScope, type Store, type StoreReader, type StoreWriter, storeOf } from '../store/store.ts';

/** What a workflow that only reads is given: the table, who calls, and the moment of the call. */
export interface ReadContext {
  readonly store: StoreReader;
  readonly caller: Caller;
  readonly now: Date;
  /** A client calls by a page, and not a key. */
  readonly isClient?: boolean;
  /** Adds a sentence to Message of the answer. */
  readonly remark?: (sentence: string) => void;
}

/** What a workflow that returns changes is given. It reserves ids with the table and commits nothing. */
export interface WriteContext extends ReadContext {
  readonly store: StoreWriter;
}

/** The context of work for a caller. */
export const callerContext = <Table extends TableReader, Who extends CallerScope>(
  table: Table,
  caller: Who,
  now: Date,
): { readonly store: Store<Table>; readonly caller: Who; readonly now: Date } => ({
  store: storeOf(table, caller),
  caller,
  now,
});
