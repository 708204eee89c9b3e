import type { Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import type { Key } from './keys.ts';

/** Who asks: an account, and of it one organization, or all of them (`null`). */
export interface CallerScope {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** Whether a thing of one organization exists for a viewer: another's looks as if it were not there. */
export const isVisible = (
  { organizationId }: Pick<CallerScope, 'organizationId'>,
  { OrganizationId }: Readonly<Record<string, unknown>> | { readonly OrganizationId: number },
): boolean => organizationId === null || OrganizationId === organizationId;

/** The item of a key, where it exists for a viewer. */
export async function findVisible(table: TableReader, scope: CallerScope, key: Key): Promise<Item | undefined> {
  const item = await table.get(key);
  return item && isVisible(scope, item) ? item : undefined;
}
