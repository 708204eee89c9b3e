import { withMfa, type MfaAction, type UserRecord } from '../domain/users.ts';
import type { BulkMfaResult } from '../resources/users.ts';
import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import { findUsers, writeUser } from './users.ts';
import type { Viewer } from './viewer.ts';

/**
 * Does the same with the second factor of users; a row for each id, in their order. A key of one organization finds
 * only its users.
 */
export async function changeMfa(
  table: TableReader,
  viewer: Viewer,
  { ids, action, now }: { ids: readonly number[]; action: MfaAction; now: number },
): Promise<{ changes: Change[]; results: BulkMfaResult[] }> {
  const visible = await findUsers(table, viewer, [...new Set(ids)]);
  const after = new Map<number, UserRecord>(visible.map((user) => [user.Id, user]));
  const results = ids.map((UserId): BulkMfaResult => {
    const before = after.get(UserId);
    if (!before) return { UserId, Status: 'NotFound' };
    const { user, status } = withMfa(before, action, now);
    after.set(UserId, user);
    return { UserId, Status: status };
  });
  const changed = visible.filter((user) => after.get(user.Id) !== user);
  return {
    changes: changed.flatMap((user) => writeUser(viewer.accountId, user, after.get(user.Id) ?? user).changes),
    results,
  };
}
