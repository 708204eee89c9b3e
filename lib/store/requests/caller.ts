import type { Item } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/client.ts';
import type { ListReader } from '../dynamodb/list-reader.ts';
import type { Key } from '../keys.ts';

/** Roles of keys and of users; lib/api/callers/roles.ts defines what each may do. */
export const roles = ['Owner', 'Admin', 'Office', 'ServiceAgent', 'Marketing', 'DataSubscriber', 'ReadOnly'] as const;
export type Role = (typeof roles)[number];

/** How string-typed moments are written: ISO 8601 with offset, or `3/8/2026 9:00:00 AM` for older clients. */
export type DateStyle = 'iso' | 'us';

/** The account of a call, and its one organization or all of them (`null`). */
export interface CallerScope {
  readonly accountId: string;
  readonly organizationId: number | null;
  /** The service agent that the key belongs to: it sees no other's appointments. */
  readonly agentId?: number | null;
  /** Whose lists its pages are. */
  readonly reader?: ListReader | undefined;
}

/** Who calls, by the API key. */
export interface Caller extends CallerScope {
  readonly role: Role;
  /** The name of the queue position that `datasubscriber` operations use. */
  readonly subscriber: string;
  readonly keyName: string;
  /** The public part of the key. */
  readonly keyId: string;
  readonly dateStyle: DateStyle;
}

/** Whether a record exists for the caller; a record of another organization looks like one that does not exist. */
export const isVisible = (
  { organizationId }: Pick<CallerScope, 'organizationId'>,
  { OrganizationId }: Readonly<Record<string, unknown>> | { readonly OrganizationId: number },
): boolean => organizationId === null || OrganizationId === organizationId;

/** The item of a key, if it exists for the caller. */
export async function findVisible(table: TableReader, scope: CallerScope, key: Key): Promise<Item | undefined> {
  const item = await table.get(key);
  return item && isVisible(scope, item) ? item : undefined;
}
