import type { CallRecord } from '../domain/calls.ts';
import type { Change } from './changes.ts';
import type { TableWriter } from './client.ts';
import { leaseIds } from './ids.ts';
import { layout } from './layout.ts';

/** The change that keeps a call, and the id it has. */
export async function logCall(
  table: TableWriter,
  account: string,
  { now, ...call }: CallRecord & { readonly OrganizationId: number; readonly now: Date },
): Promise<{ id: number; change: Change }> {
  const [id = 0] = await leaseIds(table, account, 'Call', 1);
  return { id, change: { put: { ...layout.call.key({ account, id }), E: 'Call', V: 1, Id: id, Created: now.getTime(), ...call }, if: 'absent' } };
}
