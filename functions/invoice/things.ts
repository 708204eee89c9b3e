import type { Caller } from '../../lib/api/context.ts';
import type { LineThings } from '../../lib/domain/invoices/lines.ts';
import type { TableReader } from '../../lib/store/client.ts';
import { findParts } from '../../lib/store/parts.ts';
import { findServices } from '../../lib/store/services.ts';

type Named = readonly { readonly Id: number; readonly Name: string }[];

const names = (things: Named): ReadonlyMap<number, string> => new Map(things.map(({ Id, Name }) => [Id, Name]));

/** The names of the services and parts that lines are of, as far as they exist for the caller. */
export async function readThings(
  table: TableReader,
  { accountId, organizationId }: Caller,
  { services, parts }: { readonly services: readonly number[]; readonly parts: readonly number[] },
): Promise<LineThings> {
  const found = await Promise.all([
    findServices(table, { accountId, organizationId }, services),
    findParts(table, accountId, parts),
  ]);
  return { services: names(found[0]), parts: names(found[1]) };
}
