import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { TablePager, TableReader, TableWriter } from '../store/dynamodb/client.ts';
import type { Need } from './needs.ts';

/** Who calls: the key's account, and its organization where it is bound to one. */
export interface Caller {
  readonly accountId: string;
  readonly organizationId: number | null;
  readonly role: ApiKeyRecord['Role'];
  readonly subscriber: string;
  /** What the key was named when it was made: who did a thing, as far as a key tells. */
  readonly keyName: string;
  readonly dateStyle: ApiKeyRecord['DateStyle'];
}

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
