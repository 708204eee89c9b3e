import { type Operation, operation, save } from '../../api/operation.ts';
import { type MfaAction, type UserRecord, applyMfaAction } from '../../domain/users.ts';
import { described, id, list, required, text } from '../../resources/fields.ts';
import { BulkMfaResult } from '../../resources/organizations.ts';
import { many } from '../../resources/resource.ts';
import { invalid } from '../../shared/failure.ts';
import type { CallerScope } from '../../store/caller.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findUsers, userChanges } from '../../store/users.ts';

/**
 * Does the same with the second factor of users; a row for each id, in their order. A key of one organization finds
 * only its users.
 */
export async function mfaChanges(
  table: TableReader,
  scope: CallerScope,
  { ids, action, now }: { ids: readonly number[]; action: MfaAction; now: number },
): Promise<{ changes: Change[]; results: BulkMfaResult[] }> {
  const visible = await findUsers(table, scope, [...new Set(ids)]);
  const after = new Map<number, UserRecord>(visible.map((user) => [user.Id, user]));
  const results = ids.map((UserId): BulkMfaResult => {
    const before = after.get(UserId);
    if (!before) return { UserId, Status: 'NotFound' };
    const { user, status } = applyMfaAction(before, action, now);
    after.set(UserId, user);
    return { UserId, Status: status };
  });
  const changed = visible.filter((user) => after.get(user.Id) !== user);
  return {
    changes: changed.flatMap((user) => userChanges(scope.accountId, user, after.get(user.Id) ?? user).changes),
    results,
  };
}

/** Resetting locks people out until they enroll again, so it is asked for in so many words. */
const CONFIRMED = 'RESET';

/** A transaction takes 100 changes, the record of an idempotent answer among them. */
const MAX_CHANGES = 99;

/** One of the three operations on the second factor of many users: a row each, with its own outcome. */
export const bulkMfaOperation = (
  action: MfaAction,
  { summary, description }: { summary: string; description: string },
): Operation => {
  const resets = action === 'reset';
  const Confirm = () => described(text(20), resets ? `Must be ${CONFIRMED}.` : 'Not needed here.');
  return operation({
    name: `users/bulk${action}mfa`,
    summary,
    description: `${description} At most 100 ids; Results has a row for each, in their order, NotFound where there is no such user for the key.`,
    access: 'admin',
    needs: ['table:write'],
    request: () => ({ UserIds: required(list(id(), 100)), Confirm: resets ? required(Confirm()) : Confirm() }),
    response: () => ({ Results: many(BulkMfaResult) }),
    failures: ['invalid'],
    example: { UserIds: [1, 2], ...(resets ? { Confirm: CONFIRMED } : {}) },
    async run(request, { caller, table, now }) {
      const errors = [
        ...(request.UserIds.length ? [] : [{ field: 'UserIds', message: 'must hold at least one id' }]),
        ...(resets && request.Confirm !== CONFIRMED ? [{ field: 'Confirm', message: `must be ${CONFIRMED}` }] : []),
      ];
      if (errors.length) throw invalid(...errors);
      const { changes, results } = await mfaChanges(table, caller, {
        ids: request.UserIds,
        action,
        now: now.getTime(),
      });
      // Rows are independent of one another, so the hundredth may go ahead of the others.
      await table.commit(changes.slice(MAX_CHANGES));
      return save(changes.slice(0, MAX_CHANGES), { Results: results });
    },
  });
};
