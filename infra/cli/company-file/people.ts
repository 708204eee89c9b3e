import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { UserRecord } from '../../../lib/domain/users.ts';
import { normalizeEmail } from '../../../lib/shared/emails.ts';
import { toLocal, toLocalDate } from '../../../lib/shared/format-moments.ts';
import { parseMoment } from '../../../lib/shared/read-moments.ts';
import { fold } from '../../../lib/shared/text.ts';
import { findAccount } from '../../../lib/store/accounts.ts';
import { listOrganizations } from '../../../lib/store/organizations.ts';
import { listAllUsers } from '../../../lib/store/users.ts';
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
    listOrganizations(target.table, target.account),
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
    listOrganizations(target.table, target.account),
  ]);
  return organizations.find(({ Id }) => Id === account?.DefaultOrganizationId)?.Timezone ?? 'UTC';
}

/**
 * A moment as people say it there: `2026-03-08`, where it is the first of its day, or `2026-03-08 9:30`; with its
 * offset only where that says two moments.
 */
export function momentText(at: number, zone: string): string {
  const whole = toLocal(at, zone);
  const date = toLocalDate(at, zone);
  const time = whole.slice(11, whole.slice(16, 19) === ':00' ? 16 : 19).replace(/^0/, '');
  const short = [date, `${date} ${time}`].find((text) => {
    const read = parseMoment(text, zone);
    return read.ok && Math.floor(read.at / 1000) === Math.floor(at / 1000);
  });
  return short ?? whole;
}

/** Whether two moments are the same to the second, to which the file says them. */
export const sameSecond = (one: number | null, other: number | null): boolean =>
  one !== null && other !== null && Math.floor(one / 1000) === Math.floor(other / 1000);
