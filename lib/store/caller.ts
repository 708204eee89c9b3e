import type { ApiKeyRecord } from './api-keys.ts';
import type { Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import type { Key } from './keys.ts';

/** The account of a call, and its one organization or all of them (`null`). */
export interface CallerScope {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** Who calls: what the API key says. */
export interface Caller extends CallerScope {
  readonly role: ApiKeyRecord['Role'];
  /** The name of the queue position that `datasubscriber` operations use. */
  readonly subscriber: string;
  readonly keyName: string;
  readonly dateStyle: ApiKeyRecord['DateStyle'];
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
