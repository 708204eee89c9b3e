import type { UserRecord } from '../../entities/users.ts';
import { type MfaAction, applyMfaAction, rankError } from '../../domain/users.ts';
import type { BulkMfaResult } from '../../resources/organizations.ts';
import { collectErrors, forbidden, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findUsers, findUsersByEmail, userChanges } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { changeSignIn } from './change-sign-in.ts';

/** A reset locks people out until they enroll again, hence the confirmation. */
const CONFIRMATION = 'RESET';

interface MfaInput {
  readonly UserIds: readonly number[];
  readonly Confirm?: string | null | undefined;
}

/** The outcome of a call: a result for each id, in order, and the changes of the sign-in. */
interface MfaChange {
  readonly results: BulkMfaResult[];
  readonly message: string;
  readonly changes: readonly Change[];
  readonly logFields: Readonly<Record<string, string>>;
}

/**
 * Applies an action to the second factor of users, in their sign-in first, so that a repeated call sets it again.
 * Throws invalid. Users are independent of each other: what exceeds one transaction is written ahead.
 */
export async function changeMfa(
  action: MfaAction,
  { UserIds: ids, Confirm }: MfaInput,
  context: Pick<WriteContext, 'store' | 'caller' | 'now'>,
): Promise<MfaChange> {
  const { store, caller, now } = context;
  const errors = collectErrors([
    'Confirm',
    action === 'reset' && Confirm !== CONFIRMATION && `must be ${CONFIRMATION}`,
    'unknown_value',
  ]);
  if (errors.length) throw invalid(...errors);
  const users = await findUsers(store, [...new Set(ids)]);
  const tooHigh = users.flatMap((user) => rankError(caller.role, user, user) ?? []);
  if (tooHigh[0]) throw forbidden('role_forbidden', tooHigh[0], 'UserIds');

  const signIn = await changeSignIn(action, users, caller);
  const after = new Map<number, UserRecord>(users.map((user) => [user.Id, user]));
  const results = ids.map((UserId): BulkMfaResult => {
    const before = after.get(UserId);
    if (!before) return { UserId, Status: 'NotFound', SignIn: 'None' };
    const { user, status } = applyMfaAction(before, action, now.getTime());
    after.set(UserId, user);
    return { UserId, Status: status, SignIn: signIn.signInOf(user) };
  });
  const others = signIn.isConnected ? await findOthers(context, users) : [];
  for (const other of others) after.set(other.Id, applyMfaAction(other, action, now.getTime()).user);

  const changes = [...users, ...others].flatMap((before) => {
    const changed = after.get(before.Id) ?? before;
    const user = signIn.isConnected ? { ...changed, SignInAt: now.getTime() } : changed;
    return user === before ? [] : userChanges(store, before, user).changes;
  });
  const [last = [], ...ahead] = inTransactions(changes);
  for (const part of ahead) await store.table.commit(part);
  const pending = results.filter(({ SignIn }) => SignIn === 'Pending').length;
  const logFields: Record<string, string> = pending ? { SignInPending: String(pending) } : {};
  return { results, message: signIn.message, changes: last, logFields };
}

/** The users of other organizations who are the same people and share their sign-in. */
async function findOthers(
  { store }: Pick<WriteContext, 'store' | 'caller'>,
  users: readonly UserRecord[],
): Promise<UserRecord[]> {
  const known = new Set(users.map(({ Id }) => Id));
  const emails = users.map(({ Email }) => Email);
  return (await findUsersByEmail(store, emails)).filter(({ Id }) => !known.has(Id));
}

const inTransactions = (changes: readonly Change[]): Change[][] =>
  Array.from({ length: Math.ceil(changes.length / MAX_REQUEST_CHANGES) }, (_, part) =>
    changes.slice(part * MAX_REQUEST_CHANGES, (part + 1) * MAX_REQUEST_CHANGES),
  );
