import type { CallRecord } from '../domain/calls.ts';
import type { Change } from './changes.ts';
import type { TableWriter } from './client.ts';
import { nextVersion } from './entities.ts';
import { leaseIds } from './ids.ts';
import { layout } from './layout.ts';

/** The change that keeps a call, and the id it has. */
export async function logCall(
  table: TableWriter,
  account: string,
  { now, ...call }: CallRecord & { readonly OrganizationId: number; readonly now: Date },
): Promise<{ id: number; change: Change }> {
  const [id = 0] = await leaseIds(table, account, 'Call', 1);
  const after = { Id: id, Created: now.getTime(), V: 0, ...call };
  return { id, change: nextVersion('Call', layout.call.key({ account, id }), { before: undefined, after }).change };
}
