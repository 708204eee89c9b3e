import type { UserRecord } from '../../entities/users.ts';
import { HOUR, SECOND } from '../../shared/time/time.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { findUsersWithVersion } from '../organizations/users.ts';
import type { StoreReader, StoreWriter } from '../store.ts';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { createKey, findKeyState, revokeKey } from './api-keys.ts';

const SESSION = 12 * HOUR;

/** The start of the public part of sessions: the function of the office may write no other keys. */
export const SESSION_KEY_PREFIX = 'user';

/** Seconds for which the browser keeps the cookie of a session. */
export const SESSION_SECONDS = SESSION / SECOND;

/** The service agent whose visits are all that the user sees. */
const agentOf = ({ Role, ServiceAgentId }: UserRecord): number | null =>
  Role === 'ServiceAgent' ? ServiceAgentId : null;

/**
 * Starts a session of a user: a key of 12 hours with the role and organization of the user, whose name the audit shows.
 * It is in the account's list of keys, so that whatever ends keys ends sessions. Not safe to repeat: each call starts
 * another.
 */
export async function startSession(
  store: StoreWriter,
  user: UserRecord,
  now: Date,
  expiresAt = now.getTime() + SESSION,
): Promise<string> {
  const { key } = await createKey(store, {
    organizationId: user.OrganizationId,
    userId: user.Id,
    publicPrefix: SESSION_KEY_PREFIX,
    agentId: agentOf(user),
    name: user.Name,
    role: user.Role,
    expiresAt,
    timeToLive: ttlAfter(now, 2 * SESSION_SECONDS),
    hasEvent: false,
    now,
  });
  return key;
}

/** Ends a session; safe to repeat. */
export const endSession = (store: StoreWriter, { Public }: ApiKeyRecord, now: Date): Promise<unknown> =>
  revokeKey(store, Public, now);

/**
 * The user of a session, as both are stored now. `undefined` if the session has ended, or no longer fits: the user is
 * inactive, or has another role or agent.
 */
export async function findSessionUser(store: StoreReader, session: ApiKeyRecord): Promise<UserRecord | undefined> {
  if (session.UserId === null) return undefined;
  const [state, [user]] = await Promise.all([
    findKeyState(store.table, session.Public),
    findUsersWithVersion(store, [session.UserId]),
  ]);
  if (state !== 'valid') return undefined;
  if (!user?.Active || user.Role !== session.Role || user.OrganizationId !== session.OrganizationId) return undefined;
  return agentOf(user) === session.AgentId ? user : undefined;
}
