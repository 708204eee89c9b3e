import { appointmentDate } from '../domain/appointments/record.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import type { DateSpan } from '../shared/time/read-moments.ts';
import { DateFilter } from './date-filter.ts';
import { findByIds } from './dynamodb/records.ts';
import type { Facts } from './dynamodb/filters.ts';
import { idInOrderKey, indexRanges, momentIn, orderKeyIn, shorten, sinceMoment } from './indexes.ts';
import { attributes, layout } from './keys.ts';
import type { StoreReader } from './store.ts';
import { type BoardVisit, agentFact, appointmentFacts, toBoardVisit } from './visit-facts.ts';

/** Maximum number of visits that are read at once, matching or not. */
const MAX_BOARD_VISITS = 2_000;

/** The visits of days, and whether there are more than were read. */
interface BoardVisits {
  readonly visits: readonly BoardVisit[];
  readonly isCut: boolean;
}

/**
 * The visits of days by their start, for display: a change shows within a second. One round, 1 RRU for some 40 visits;
 * those that an earlier version wrote take another round, and 0.5 RRU each.
 */
export async function listBoardVisits(store: StoreReader, days: DateSpan): Promise<BoardVisits> {
  const { account, organizationId: organization, table, agent } = store;
  const filter = await DateFilter.open(store, { date: days, moments: {} });
  const date = agent ? sinceMoment(filter.range, agent.visitsFrom) : filter.range;
  const [ranges = []] = indexRanges({ account, organization, kind: appointmentEntity.name, date });
  const where = agent ? { [agentFact(agent.id)]: true } : {};
  const pages = await Promise.all(ranges.map((range) => table.query({ ...range, where, limit: MAX_BOARD_VISITS })));
  const entries = pages.flatMap(({ items }, page) =>
    items.map((item) => {
      const orderKey = orderKeyIn(String(item[`${ranges[page]?.index}SK`]));
      return { id: idInOrderKey(orderKey), at: momentIn(orderKey), facts: (item[attributes.facts] ?? {}) as Facts };
    }),
  );
  const found = await filter.select(entries);
  const known = found.flatMap(({ id, at, facts }) => toBoardVisit(id, at, facts) ?? []);
  const knownIds = new Set(known.map(({ Id }) => Id));
  const others = found.map(({ id }) => id).filter((id) => !knownIds.has(id));
  const visits = [...known, ...(await readVisits(store, others))];
  return {
    visits: visits.toSorted((one, other) => one.At - other.At || one.Id - other.Id),
    isCut: pages.some(({ next }) => next !== undefined),
  };
}

/** Visits of which the entries do not say what a board shows. */
async function readVisits({ account, table }: StoreReader, ids: readonly number[]): Promise<BoardVisit[]> {
  const keyOf = (id: number) => layout.appointment.key({ account, id });
  const records = await findByIds(table, appointmentEntity, ids, keyOf, { consistent: false });
  return records.flatMap((record) => {
    const at = appointmentDate(record, record.Zone) ?? 0;
    return toBoardVisit(record.Id, at, shorten(appointmentEntity, appointmentFacts(record))) ?? [];
  });
}
