import type { UserRecord } from '../../../lib/entities/users.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { fold, normalizeEmail } from '../../../lib/shared/text/text.ts';
import { toLocal, toLocalDate } from '../../../lib/shared/time/time.ts';
import { isSameSecond, parseMoment } from '../../../lib/shared/time/read-moments.ts';
import { findAccount } from '../../../lib/store/accounts/accounts.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listAllUsers } from '../../../lib/store/organizations/users.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import type { AccountContext } from './section.ts';

/** Organizations and users of an account, by their names in the file. */
export interface Directory {
  readonly organizations: readonly OrganizationRecord[];
  findOrganization(name: string): OrganizationRecord | undefined;
  /** By e-mail, otherwise by name. */
  findUser(text: string): UserRecord | undefined;
  /** Why an organization or a user is not found, with the name that was probably meant. */
  unknownOrganization(name: string): string;
  unknownUser(text: string): string;
  organizationName(id: number): string;
  userEmail(id: number | null): string;
}

/** An organization by its public name, ignoring case. */
export const findByPublicName = (
  organizations: readonly OrganizationRecord[],
  name: unknown,
): OrganizationRecord | undefined =>
  organizations.find(({ PublicName }) => fold(PublicName) === fold(String(name).trim()));

export async function loadDirectory({ store }: AccountContext): Promise<Directory> {
  const [organizations, users] = await Promise.all([listOrganizations(store), listAllUsers(store)]);
  return {
    organizations,
    findOrganization: (name) => findByPublicName(organizations, name),
    findUser: (text) =>
      users.find(({ Email }) => normalizeEmail(Email) === normalizeEmail(text)) ??
      users.find(({ Name }) => fold(Name) === fold(text.trim())),
    unknownOrganization: (name) => {
      const hint = didYouMean(
        name,
        organizations.map(({ PublicName }) => PublicName),
      );
      return `names an unknown organization: ${name}${hint && `. ${hint}`}`;
    },
    unknownUser: (text) => {
      const hint = didYouMean(
        text,
        users.flatMap(({ Email, Name }) => (text.includes('@') ? Email : Name)),
      );
      return `names an unknown user: ${text}${hint && `. ${hint}`}`;
    },
    organizationName: (id) => organizations.find(({ Id }) => Id === id)?.PublicName ?? '',
    userEmail: (id) => users.find(({ Id }) => Id === id)?.Email ?? '',
  };
}

/** The zone of records that belong to the whole account: that of its first organization. */
export async function findAccountZone({ store }: AccountContext): Promise<string> {
  const [found, organizations] = await Promise.all([findAccount(store), listOrganizations(store)]);
  return organizations.find(({ Id }) => Id === found?.DefaultOrganizationId)?.Timezone ?? 'UTC';
}

/**
 * A moment in the shortest form that can be read back: `2026-03-08` at the start of a day, otherwise `2026-03-08 9:30`,
 * with its offset if a clock time occurs twice.
 */
export function formatMoment(at: number, zone: string): string {
  const full = toLocal(at, zone);
  const date = toLocalDate(at, zone);
  const time = full.slice(11, full.slice(16, 19) === ':00' ? 16 : 19).replace(/^0/, '');
  const short = [date, `${date} ${time}`].find((text) => {
    const parsed = parseMoment(text, zone);
    return parsed.ok && isSameSecond(parsed.at, at);
  });
  return short ?? full;
}
