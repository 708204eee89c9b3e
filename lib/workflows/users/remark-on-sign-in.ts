import type { UserRecord } from '../../entities/users.ts';
import { hasUserPool } from '../../sign-in/has-user-pool.ts';
import type { Caller } from '../../store/requests/caller.ts';

/** Names the users whom the sign-in follows in Message of the answer; returns false if the account has no sign-in. */
export function remarkOnSignIn(
  users: readonly UserRecord[],
  { caller, remark }: { readonly caller: Caller; readonly remark: (sentence: string) => void },
): boolean {
  if (!hasUserPool(caller.account)) return false;
  const ids = users.map(({ Id }) => Id).join(', ');
  if (ids) remark(`The sign-in of ${users.length === 1 ? 'user' : 'users'} ${ids} follows within a minute.`);
  return true;
}
