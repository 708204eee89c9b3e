import { entryEntity } from '../entities/entries.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import type { Change } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { layout, momentKey } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** The visits that strangers booked on pages, in the order of booking. */

const DAYS_KEPT = 90;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Lists a visit that a stranger books; only its id, because the visit has who booked it and from where. */
export const pageVisitChange = ({ account }: StoreAccount, id: number, now: Date): Change => ({
  put: {
    ...layout.pageVisit.key({ account, day: dayOf(now.getTime()), at: momentKey(now.getTime()), id }),
    Id: id,
    TTL: ttlAfter(now, (DAYS_KEPT * DAY) / SECOND),
  },
});

const PAGE = 100;

interface PageVisitSpan {
  /** Both are inclusive. */
  readonly since: Date;
  readonly through: Date;
}

/** Pages of ids of the visits that were booked in a time span, as far back as they are kept. */
export async function* pageVisitIds(
  { table, account }: StoreReader,
  { since, through }: PageVisitSpan,
): AsyncGenerator<number[]> {
  const earliest = Math.max(since.getTime(), through.getTime() - DAYS_KEPT * DAY);
  const [from, to] = [momentKey(earliest), `${momentKey(through.getTime())}#\u{10FFFF}`];
  for (let day = Math.floor(earliest / DAY) * DAY; day <= through.getTime(); day += DAY) {
    const partition = layout.pageVisit.of({ account, day: dayOf(day) });
    let after: string | undefined;
    do {
      const page = await table.query({ partition, from, to, after, limit: PAGE, consistent: true });
      if (page.items.length) yield page.items.map((item) => entryEntity.read(item).Id);
      after = page.next;
    } while (after !== undefined);
  }
}
