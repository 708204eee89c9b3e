import type { Caller } from '../store/caller.ts';
import type { TablePager, TableReader, TableWriter } from '../store/dynamodb/client.ts';
import type { Need } from './needs.ts';

interface Everyone {
  readonly caller: Caller;
  /** The moment of the call, the same for all it does. */
  readonly now: Date;
  /** Where the API is reached, without a slash at the end: the start of every client link. */
  readonly baseUrl: string;
  /** The caller's internet address. */
  readonly sourceIp: string;
}

/** What an operation may touch: exactly what its `needs` name, so that an undeclared need does not compile. */
export type Context<Needs extends Need> = Everyone &
  ('table:write' extends Needs
    ? { readonly table: TableWriter }
    : 'table:page' extends Needs
      ? { readonly table: TablePager }
      : 'table:read' extends Needs
        ? { readonly table: TableReader }
        : unknown);
