import type { UserRecord } from '../../entities/users.ts';
import { HOUR, SECOND } from '../../shared/time/time.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { findUsersWithVersion } from '../organizations/users.ts';
import type { StoreReader, StoreWriter } from '../store.ts';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { createKey, revokeKey } from './api-keys.ts';

const SESSION = 12 * HOUR;

/** The start of the public part of sessions: the function of the office may write no other keys. */
export const SESSION_KEY_PREFIX = 'user';

/** Seconds for which the browser keeps the cookie of a session. */
export const SESSION_SECONDS = SESSION / SECOND;

/**
 * Starts a session of a user: a key of 12 hours with the role and organization of the user, whose name the audit shows.
 * It is in the account's list of keys, so that whatever ends keys ends sessions. Not safe to repeat: each call starts
 * another.
 */
export async function startSession(store: StoreWriter, user: UserRecord, now: Date): Promise<string> {
  const { key } = await createKey(store, {
    organizationId: user.OrganizationId,
    userId: user.Id,
    publicPrefix: SESSION_KEY_PREFIX,
    agentId: user.Role === 'ServiceAgent' ? user.ServiceAgentId : null,
    name: user.Name,
    role: user.Role,
    expiresAt: now.getTime() + SESSION,
    timeToLive: ttlAfter(now, 2 * SESSION_SECONDS),
    hasEvent: false,
    now,
  });
  return key;
}

/** Ends a session; safe to repeat. */
export const endSession = (store: StoreWriter, { Public }: ApiKeyRecord, now: Date): Promise<unknown> =>
  revokeKey(store, Public, now);

/** The user of a session, unless it no longer fits: the user is inactive, or has another role or agent. */
export async function findSessionUser(store: StoreReader, session: ApiKeyRecord): Promise<UserRecord | undefined> {
  const [user] = session.UserId === null ? [] : await findUsersWithVersion(store, [session.UserId]);
  const fits = user?.Active && user.Role === session.Role && user.OrganizationId === session.OrganizationId;
  return fits ? user : undefined;
}
