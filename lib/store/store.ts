import type { ListReader } from './dynamodb/lists/list-reader.ts';
import type { PatientTable, TablePager, TableReader, TableWriter } from './dynamodb/table.ts';

/** What a service agent's key can reach: the contacts of the agent's visits, and their records. */
export interface AgentScope {
  readonly id: number;
  /** Visits before this moment do not count; milliseconds since 1970. */
  readonly visitsFrom: number;
}

/** The account of a call, and its one organization or all of them (`null`). */
export interface CallerScope {
  readonly account: string;
  readonly organizationId: number | null;
  readonly agent?: AgentScope | null;
  /** Whether data that a record cannot take is left out with a remark, where other keys get 400. */
  readonly isLenient?: boolean;
  /** The reader who owns the lists. */
  readonly reader?: ListReader | undefined;
}

/** The table bound to its caller: each of its keys begins with the caller's account. */
export interface Store<Table extends TableReader> extends CallerScope {
  readonly table: Table;
}

export type StoreReader = Store<TableReader>;
/** Also keeps the cursors of long lists, and what can be asked for again. */
export type StorePager = Store<TablePager>;
/** Also commits changes and reserves ids. */
export type StoreWriter = Store<TableWriter>;
/** For workers, which may wait for the table until a deadline. */
export type PatientStore = Store<PatientTable>;

/** The account of a store: all that is needed to build changes. */
export type StoreAccount = Pick<CallerScope, 'account'>;

/** The table, bound to a caller. */
export const storeOf = <Table extends TableReader, Scope extends CallerScope>(
  table: Table,
  { account, organizationId, agent = null, isLenient = false, reader }: Scope,
): Store<Table> & Pick<Scope, 'organizationId'> => ({ table, account, organizationId, agent, isLenient, reader });

/** The store, limited to an organization of the account; with `null` to none. */
export const organizationStore = <Table extends TableReader>(
  store: Store<Table>,
  organizationId: number | null,
): Store<Table> => ({ ...store, organizationId });

/** The table, bound to a whole account, for work that no key asks for. */
export const accountStore = <Table extends TableReader>(table: Table, account: string): Store<Table> =>
  storeOf(table, { account, organizationId: null });
