import type { UserRecord } from '../../entities/users.ts';
import { type MfaAction, applyMfaAction, rankError } from '../../domain/users.ts';
import type { BulkMfaResult } from '../../resources/organizations.ts';
import { collectErrors, forbidden, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findUsers, userChanges } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';

/** A reset locks people out until they enroll again, hence the confirmation. */
const CONFIRMATION = 'RESET';

interface MfaInput {
  readonly UserIds: readonly number[];
  readonly Confirm?: string | null | undefined;
}

/**
 * Applies an action to the second factor of users, with a result for each id in their order. Throws invalid. Users are
 * independent of each other: a hundredth change is written ahead of the others.
 */
export async function changeMfa(
  action: MfaAction,
  { UserIds: ids, Confirm }: MfaInput,
  { table, caller, now }: Pick<WriteContext, 'table' | 'caller' | 'now'>,
): Promise<{ results: BulkMfaResult[]; changes: readonly Change[] }> {
  const errors = collectErrors([
    'Confirm',
    action === 'reset' && Confirm !== CONFIRMATION && `must be ${CONFIRMATION}`,
    'unknown_value',
  ]);
  if (errors.length) throw invalid(...errors);
  const users = await findUsers(table, caller, [...new Set(ids)]);
  const tooHigh = users.flatMap((user) => rankError(caller.role, user, user) ?? []);
  if (tooHigh[0]) throw forbidden('role_forbidden', tooHigh[0], 'UserIds');
  const after = new Map<number, UserRecord>(users.map((user) => [user.Id, user]));
  const results = ids.map((UserId): BulkMfaResult => {
    const before = after.get(UserId);
    if (!before) return { UserId, Status: 'NotFound' };
    const { user, status } = applyMfaAction(before, action, now.getTime());
    after.set(UserId, user);
    return { UserId, Status: status };
  });
  const changes = users.flatMap((before) => {
    const user = after.get(before.Id) ?? before;
    return user === before ? [] : userChanges(caller.accountId, before, user).changes;
  });
  await table.commit(changes.slice(MAX_REQUEST_CHANGES));
  return { results, changes: changes.slice(0, MAX_REQUEST_CHANGES) };
}
