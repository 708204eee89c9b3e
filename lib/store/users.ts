import type { UserRecord } from '../domain/users.ts';
import { normalizeEmail } from '../shared/emails.ts';
import { type CallerScope, isVisible } from './caller.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { findByIds, listRange, toRecord, versionedChange } from './dynamodb/records.ts';
import { layout } from './keys.ts';

const userOf = (item: Item): UserRecord => toRecord<UserRecord>(item);

/** Users by id, in the order of the ids; those that do not exist are left out. */
export async function findUsersWithVersion(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<UserRecord[]> {
  if (!ids.length) return [];
  const items = await table.getMany(ids.map((id) => layout.user.key({ account, id })));
  const byId = new Map(items.map((item) => [item['Id'] as number, userOf(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The same for a list, in which some may be a second old. */
export const listUsers = (table: TableReader, account: string, ids: readonly number[]): Promise<UserRecord[]> =>
  findByIds(table, ids, (id) => layout.user.key({ account, id }));

/** Users by id, those that exist for a viewer. */
export const findUsers = async (
  table: TableReader,
  scope: CallerScope,
  ids: readonly number[],
): Promise<UserRecord[]> =>
  (await findUsersWithVersion(table, scope.accountId, ids)).filter((user) => isVisible(scope, user));

/** The users of all organizations, by id, at most `most` of them. */
export const listAllUsers = async (table: TableReader, account: string, most: number): Promise<UserRecord[]> =>
  (await listRange(table, { partition: layout.user.of({ account }), consistent: true }, most)).map(userOf);

const emailKey = (account: string, email: string) => layout.userEmail.key({ account, email: normalizeEmail(email) });

/** Who has an e-mail address. */
export interface EmailOwner {
  readonly Id: number;
  readonly OrganizationId: number;
}

/** The users that have e-mail addresses: normalised address → user, those that nobody has left out. */
export async function findEmailOwners(
  table: TableReader,
  account: string,
  emails: readonly string[],
): Promise<Map<string, EmailOwner>> {
  const wanted = [...new Set(emails.map(normalizeEmail))].filter((email) => email !== '');
  const items = await table.getMany(wanted.map((email) => emailKey(account, email)));
  const byKey = new Map(items.map((item) => [item.PK, item as unknown as EmailOwner]));
  return new Map(
    wanted.flatMap((email) => {
      const owner = byKey.get(emailKey(account, email).PK);
      return owner ? [[email, owner] as const] : [];
    }),
  );
}

/** The changes that store a user, with the guard that no other has the e-mail address. */
export function userChanges(
  account: string,
  before: UserRecord | undefined,
  after: UserRecord,
): { record: UserRecord; changes: Change[] } {
  const { record, change } = versionedChange('User', layout.user.key({ account, id: after.Id }), { before, after });
  const [old, next] = [before && normalizeEmail(before.Email), normalizeEmail(after.Email)];
  if (old === next) return { record, changes: [change] };
  const { Id, OrganizationId } = after;
  return {
    record,
    changes: [
      change,
      { put: { ...emailKey(account, next), Id, OrganizationId }, if: 'absent' },
      ...(old ? [{ remove: emailKey(account, old), if: { equals: { Id } } }] : []),
    ],
  };
}
