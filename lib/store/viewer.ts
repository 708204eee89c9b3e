import type { Item } from './changes.ts';
import type { TableReader } from './client.ts';
import type { Key } from './layout.ts';

/** Who asks: an account, and of it one organization, or all of them (`null`). */
export interface Viewer {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** The item of a key, where it exists for a viewer: what belongs to another organization looks as if it were not there. */
export async function findSeen(table: TableReader, { organizationId }: Viewer, key: Key): Promise<Item | undefined> {
  const item = await table.get(key);
  return item && (organizationId === null || item['OrganizationId'] === organizationId) ? item : undefined;
}
