import type { UserRecord } from '../../entities/users.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import type { SignedIn } from '../../sign-in/hosted-sign-in.ts';
import { findUsersByEmail, listAllUsers } from '../../store/organizations/users.ts';
import type { StoreReader } from '../../store/store.ts';

/** The roles whose users work in the office. */
const OFFICE_ROLES: ReadonlySet<UserRecord['Role']> = new Set(['Owner', 'Admin', 'Office', 'ReadOnly', 'ServiceAgent']);

/**
 * Whether a user is the person who signed in: the one that the pool has for the user, or nobody yet and the address is
 * the same.
 */
const isPerson = (user: UserRecord, { id, email }: SignedIn): boolean =>
  user.SignInId === ''
    ? user.SignInRefusal === '' && normalizeEmail(user.Email) === normalizeEmail(email)
    : user.SignInId === id;

const mayWorkHere = ({ Active, Role, ServiceAgentId }: UserRecord): boolean =>
  Active && OFFICE_ROLES.has(Role) && (Role !== 'ServiceAgent' || ServiceAgentId !== null);

/** The users who may work in the office, as the store has them now. */
export const listOfficeUsers = async (store: StoreReader): Promise<UserRecord[]> =>
  (await listAllUsers(store)).filter(mayWorkHere);

/**
 * The other users of a user's person, one in each organization: those whom the pool has as the same person, or, where
 * it has nobody for either, those of the same address.
 */
export async function findOtherUsers(store: StoreReader, { Id, Email, SignInId }: UserRecord): Promise<UserRecord[]> {
  const users = await findUsersByEmail(store, [Email]);
  const person = { id: SignInId, email: Email };
  return users.filter(
    (user) => user.Id !== Id && user.SignInId === SignInId && isPerson(user, person) && mayWorkHere(user),
  );
}

/**
 * The users as whom a person may work in the office, one in each of their organizations. A service agent needs a
 * ServiceAgentId, because the office shows agents their own visits only.
 */
export async function findOfficeUsers(store: StoreReader, person: SignedIn): Promise<UserRecord[]> {
  if (!person.email) return [];
  const users = await findUsersByEmail(store, [person.email]);
  return users.filter((user) => isPerson(user, person) && mayWorkHere(user));
}
