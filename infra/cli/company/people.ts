import { normalizeEmail } from '../../../lib/domain/emails.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { UserRecord } from '../../../lib/domain/users.ts';
import { fold } from '../../../lib/domain/words.ts';
import { findAccount } from '../../../lib/store/accounts.ts';
import { listAllUsers } from '../../../lib/store/users.ts';
import { listOrganizations } from './organization-list.ts';
import type { Target } from './section.ts';

/** Organizations and users of an account, by the names that the file has for them. */
export interface People {
  readonly organizations: readonly OrganizationRecord[];
  organization(name: string): OrganizationRecord | undefined;
  /** By e-mail, else by name. */
  user(text: string): UserRecord | undefined;
  organizationName(id: number): string;
  userEmail(id: number | null): string;
}

export async function readPeople(target: Target): Promise<People> {
  const [organizations, users] = await Promise.all([
    listOrganizations(target),
    listAllUsers(target.table, target.account, Infinity),
  ]);
  return {
    organizations,
    organization: (name) => organizations.find(({ PublicName }) => fold(PublicName) === fold(name.trim())),
    user: (text) =>
      users.find(({ Email }) => normalizeEmail(Email) === normalizeEmail(text)) ??
      users.find(({ Name }) => fold(Name) === fold(text.trim())),
    organizationName: (id) => organizations.find(({ Id }) => Id === id)?.PublicName ?? '',
    userEmail: (id) => users.find(({ Id }) => Id === id)?.Email ?? '',
  };
}

/** The zone of the account's first organization, which moments of the whole account are in. */
export async function zoneOfHome(target: Target): Promise<string> {
  const [account, organizations] = await Promise.all([
    findAccount(target.table, target.account),
    listOrganizations(target),
  ]);
  return organizations.find(({ Id }) => Id === account?.DefaultOrganizationId)?.Timezone ?? 'UTC';
}
