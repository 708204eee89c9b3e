import { findByIds, idOf, listDisplayed, listRange, versionedChange } from '../dynamodb/records.ts';
import { type UserRecord, userEntity } from '../../entities/users.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { isVisible, ownKey } from '../visibility.ts';
import type { StoreAccount, StoreReader } from '../store.ts';
import type { Change } from '../dynamodb/changes.ts';
import { type Key, layout } from '../keys.ts';

/** Users in the order of `ids`, without those that do not exist; never stale. */
export async function findUsersWithVersion(
  { table, account }: StoreReader,
  ids: readonly number[],
): Promise<UserRecord[]> {
  if (!ids.length) return [];
  const items = await table.getMany(ids.map((id) => layout.user.key({ account, id })));
  const byId = new Map(items.map((item) => [idOf(item), userEntity.read(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A user by the key of the item; never stale. */
export async function findUserAt(store: StoreReader, key: Key): Promise<UserRecord | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && userEntity.read(item);
}

/** The same for display: in a long list some may be a second old. Throws ListTooLarge. */
export const listUsers = ({ table, account }: StoreReader, ids: readonly number[]): Promise<UserRecord[]> =>
  findByIds(table, userEntity, ids, (id) => layout.user.key({ account, id }));

/** The users of `ids` that exist for the caller. */
export const findUsers = async (store: StoreReader, ids: readonly number[]): Promise<UserRecord[]> =>
  (await findUsersWithVersion(store, ids)).filter((user) => isVisible(store, user));

/**
 * The users of all organizations of an account that have one of these e-mail addresses. Each address stands for one
 * person.
 */
export async function findUsersByEmail(store: StoreReader, emails: readonly string[]): Promise<UserRecord[]> {
  const { table, account } = store;
  const wanted = new Set(emails.map(normalizeEmail));
  const guards = await Promise.all(
    [...wanted].map((email) =>
      listRange(table, { partition: layout.userEmail.of({ account, email }), consistent: true }),
    ),
  );
  const users = await findUsersWithVersion(store, [...new Set(guards.flat().map(idOf))]);
  return users.filter(({ Email }) => wanted.has(normalizeEmail(Email)));
}

/** The users of all organizations, by id. */
export const listAllUsers = async ({ table, account }: StoreReader): Promise<UserRecord[]> =>
  (await listRange(table, { partition: layout.user.of({ account }), consistent: true })).map((item) =>
    userEntity.read(item),
  );

/** The same for display: a change shows within a second. Throws ListTooLarge. */
export const listDisplayedUsers = async ({ table, account }: StoreReader): Promise<UserRecord[]> =>
  (await listDisplayed(table, [{ partition: layout.user.of({ account }) }])).map((item) => userEntity.read(item));

const emailKey = ({ account }: StoreAccount, organizationId: number, email: string) =>
  layout.userEmail.key({ account, organization: organizationId, email: normalizeEmail(email) });

/** Normalized e-mail address → the id of the user of the organization that has it. */
export async function findEmailOwners(
  store: StoreReader,
  organizationId: number,
  emails: readonly string[],
): Promise<Map<string, number>> {
  const normalized = [...new Set(emails.map(normalizeEmail))].filter((email) => email !== '');
  const keyOf = (email: string) => emailKey(store, organizationId, email);
  const items = await store.table.getMany(normalized.map(keyOf));
  const owners = new Map(items.map((item) => [item.PK, idOf(item)]));
  return new Map(
    normalized.flatMap((email) => {
      const owner = owners.get(keyOf(email).PK);
      return owner === undefined ? [] : [[email, owner] as const];
    }),
  );
}

/** Stores a user, with the guard of the e-mail address. */
export function userChanges(
  store: StoreAccount,
  before: UserRecord | undefined,
  after: UserRecord,
): { record: UserRecord; changes: Change[] } {
  const { account } = store;
  const { Id, OrganizationId } = after;
  const { record, change } = versionedChange(userEntity, layout.user.key({ account, id: Id }), { before, after });
  const [oldEmail, email] = [before && normalizeEmail(before.Email), normalizeEmail(after.Email)];
  if (oldEmail === email) return { record, changes: [change] };
  const guard: Change = { put: { ...emailKey(store, OrganizationId, email), Id, OrganizationId }, if: 'absent' };
  const release: Change[] = oldEmail ? [{ remove: emailKey(store, OrganizationId, oldEmail) }] : [];
  return { record, changes: [change, guard, ...release] };
}
