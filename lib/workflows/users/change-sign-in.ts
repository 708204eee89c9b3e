import type { UserRecord } from '../../entities/users.ts';
import { type MfaAction, awaitsSignIn } from '../../domain/users.ts';
import type { BulkMfaResult } from '../../resources/organizations.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { openUserPool } from '../../sign-in/open-user-pool.ts';
import type { MfaOutcome } from '../../sign-in/user-pool.ts';
import type { Caller } from '../../store/requests/caller.ts';

/** The changes of the sign-in for users. */
export interface SignInChange {
  /** Whether the account has a sign-in that this key may change. */
  readonly isConnected: boolean;
  signInOf(user: UserRecord): BulkMfaResult['SignIn'];
  readonly message: string;
}

/** Why a user waits for the sign-in, or has none. */
type Reason = Exclude<MfaOutcome, 'done'> | 'awaited' | 'reset';

/**
 * Applies a change of users' second factor to the sign-in. There, users with the same e-mail address are one person,
 * even in other organizations, so only keys of the account reach them.
 */
export async function changeSignIn(
  action: MfaAction,
  users: readonly UserRecord[],
  { account, organizationId }: Caller,
): Promise<SignInChange> {
  const pool = await openUserPool(account);
  if (!pool) return unconnected('No sign-in is connected to this account: only the flags are set.');
  if (organizationId !== null)
    return unconnected('The sign-in follows keys of the account alone: only the flags are set.');

  const outcomes = await pool.changeMfa(action, [...new Set(users.map(({ Email }) => normalizeEmail(Email)))]);
  const reasonOf = (user: UserRecord): Reason | undefined => {
    const outcome = outcomes.get(normalizeEmail(user.Email)) ?? 'away';
    if (outcome === 'notFound' && awaitsSignIn(user)) return 'awaited';
    if (outcome !== 'done') return outcome;
    return action === 'reset' && user.MfaEnabled ? 'reset' : undefined;
  };
  const sentences = Object.entries(adviceOf(action)).flatMap(([reason, advice]) => {
    const ids = users.filter((user) => reasonOf(user) === reason).map(({ Id }) => Id);
    return ids.length ? `${ids.length === 1 ? 'User' : 'Users'} ${ids.join(', ')}: ${advice}` : [];
  });
  return {
    isConnected: true,
    signInOf(user) {
      const reason = reasonOf(user);
      if (reason === undefined) return 'Done';
      return reason === 'notFound' ? 'NotFound' : 'Pending';
    },
    message: sentences.join(' '),
  };
}

const unconnected = (message: string): SignInChange => ({ isConnected: false, signInOf: () => 'None', message });

const adviceOf = (action: MfaAction): Readonly<Record<Reason, string>> => ({
  awaited: `the sign-in follows within a minute. Repeat users/bulk${action}mfa for them then.`,
  notFound: 'the sign-in has no person with this e-mail address.',
  notEnrolled: 'no authenticator app is set up. Repeat users/bulkenablemfa when it is.',
  kept: 'the sign-in requires the second factor of everybody. Change the user pool, then repeat the call.',
  away: `the sign-in did not answer. Repeat users/bulk${action}mfa for them, with another Idempotency-Key.`,
  reset: 'the password alone signs in. Call users/bulkenablemfa when a new authenticator app is set up.',
});
