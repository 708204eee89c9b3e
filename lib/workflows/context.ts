import type { Caller } from '../store/requests/caller.ts';
import type { TableReader } from '../store/dynamodb/table.ts';
import {
  type CallerScope,
  type Store,
  type StorePager,
  type StoreReader,
  type StoreWriter,
  storeOf,
} from '../store/store.ts';

/** The context of a workflow that only reads: the store, the caller, and the moment of the call. */
export interface ReadContext {
  readonly store: StoreReader;
  readonly caller: Caller;
  readonly now: Date;
  /** A client calls through a page, without a key. */
  readonly isClient?: boolean;
  /** Adds a sentence to Message in the answer. */
  readonly remark?: (sentence: string) => void;
}

/** The context of a workflow that also keeps what may be lost, such as cursors and drive times. */
export interface PagerContext extends ReadContext {
  readonly store: StorePager;
}

/** The context of a workflow that returns changes. It reserves ids in the table and commits nothing. */
export interface WriteContext extends PagerContext {
  readonly store: StoreWriter;
}

/** The context for work on behalf of a caller. */
export const callerContext = <Table extends TableReader, Who extends CallerScope>(
  table: Table,
  caller: Who,
  now: Date,
): { readonly store: Store<Table>; readonly caller: Who; readonly now: Date } => ({
  store: storeOf(table, caller),
  caller,
  now,
});
