import { parseMoment } from '../../../lib/domain/moments-in.ts';
import { toLocal, toLocalDate } from '../../../lib/domain/moments-out.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import { thingOf } from '../../../lib/store/entities.ts';
import { layout } from '../../../lib/store/layout.ts';
import { readRange } from '../../../lib/store/ranges.ts';
import type { Target } from './section.ts';

/** All organizations of the account, by id. */
export const listOrganizations = async ({
  table,
  account,
}: Pick<Target, 'table' | 'account'>): Promise<OrganizationRecord[]> =>
  (await readRange(table, { partition: layout.organization.of({ account }), consistent: true })).map((item) =>
    thingOf<OrganizationRecord>(item),
  );

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
