import { toLocal, toLocalDate } from '../../../lib/domain/moments-out.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import { startOfDay } from '../../../lib/domain/zones.ts';
import { thingOf } from '../../../lib/store/entities.ts';
import { layout } from '../../../lib/store/layout.ts';
import { readRange } from '../../../lib/store/ranges.ts';
import type { Target } from './section.ts';

/** All organizations of the account, by id. */
export const listOrganizations = async ({ table, account }: Pick<Target, 'table' | 'account'>): Promise<OrganizationRecord[]> =>
  (await readRange(table, { partition: layout.organization.of({ account }), consistent: true })).map((item) => thingOf<OrganizationRecord>(item));

/** A moment as people say it there: a date, where it is the first of its day. */
export function momentText(at: number, zone: string): string {
  const date = toLocalDate(at, zone);
  return startOfDay(Date.parse(`${date}T00:00:00Z`), zone) === at ? date : toLocal(at, zone);
}
