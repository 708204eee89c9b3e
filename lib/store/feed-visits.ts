import { CANCELED_DAYS, MAX_FEED_VISITS, feedPeriod, isInFeed } from '../domain/calendar-feed.ts';
import type { Interval } from '../domain/scheduling/calendar.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import { contactEntity } from '../entities/contacts.ts';
import { isErased } from '../entities/erased-contacts.ts';
import { DAY } from '../shared/time/time.ts';
import type { Item } from './dynamodb/changes.ts';
import { idOf, listRange } from './dynamodb/records.ts';
import type { Range } from './dynamodb/table.ts';
import { idInOrderKey, orderKeyIn } from './indexes.ts';
import { indexLayout, layout, momentKey, sortable } from './keys.ts';
import type { StoreReader } from './store.ts';

/** What calendars show of visits and clients, for display: a change shows within a second. */

const visitPart = appointmentEntity.part(
  ...(['Id', 'ContactId', 'OrganizationId', 'Status', 'Start', 'Duration', 'Zone', 'ServiceName'] as const),
  ...(['ServiceAgentId', 'ServiceAgentName', 'AdditionalAgents', 'Position', 'BufferBefore', 'BufferAfter'] as const),
  ...(['ArrivalFrom', 'ArrivalThrough', 'CanceledAt', 'Notes', 'InternalNotes'] as const),
  ...(['UnseenChanges', 'Updated', 'V'] as const),
);
type FeedAppointment = ReturnType<typeof visitPart.read>;

const contactPart = contactEntity.part(
  ...(['Id', 'Name', 'Company', 'Address1', 'Address2', 'City', 'State', 'Zip', 'Phone', 'AltPhone'] as const),
);
export type FeedClient = ReturnType<typeof contactPart.read>;

/** Whose visits a feed shows: those of an organization, or of one of its agents. */
export interface FeedOwner {
  readonly organization: number;
  /** `undefined` for the whole organization. */
  readonly agent: number | undefined;
}

const idInIndex = (item: Item): number => idInOrderKey(orderKeyIn(String(item['GSI2SK'])));
const idInEntry = ({ SK }: Item): number => idInOrderKey(SK);

/** The list in which the visits of an owner are by their date, and the id of an entry. */
function listOf({ account }: StoreReader, { organization, agent }: FeedOwner): [Range, (item: Item) => number] {
  if (agent !== undefined)
    return [{ partition: layout.agentVisit.of({ account, agent }), consistent: false }, idInEntry];
  const partition = indexLayout.GSI2.of({ account, organization, kind: appointmentEntity.name });
  return [{ index: 'GSI2', partition, attributes: ['GSI2SK'] }, idInIndex];
}

/** The ids of an agent's visits that were canceled lately. The lists of an organization have theirs. */
async function listCanceledIds({ account, table }: StoreReader, { agent }: FeedOwner, now: Date): Promise<number[]> {
  if (agent === undefined) return [];
  const partition = layout.canceledVisit.of({ account, agent });
  const from = sortable(now.getTime() - CANCELED_DAYS * DAY);
  const range = { partition, from, to: '~', descending: true, consistent: false };
  return (await listRange(table, range, { limit: MAX_FEED_VISITS })).map(idInEntry);
}

/** The visits of a feed by their start, and whether there are more than it shows. */
export interface FeedVisits {
  readonly visits: readonly (FeedAppointment & { readonly Start: number })[];
  readonly isCut: boolean;
}

/**
 * The visits of an owner: those ahead come first, then the newest of the past, up to the limit. Two rounds; 1 RRU for
 * some 50 entries, and 0.5 for each visit of 4 KB.
 */
export async function listFeedVisits(store: StoreReader, owner: FeedOwner, now: Date): Promise<FeedVisits> {
  const { account, table } = store;
  const [list, idIn] = listOf(store, owner);
  const { start, end } = feedPeriod(now);
  const read = async ({ start: from, end: to }: Interval, descending: boolean): Promise<number[]> => {
    const range = { ...list, from: momentKey(from), to: momentKey(to), descending };
    return (await listRange(table, range, { limit: MAX_FEED_VISITS + 1 })).map(idIn);
  };
  const lately = now.getTime() - DAY;
  const [ahead, canceled, past] = await Promise.all([
    read({ start: lately, end }, false),
    listCanceledIds(store, owner, now),
    read({ start, end: lately }, true),
  ]);
  const ids = [...new Set([...ahead, ...canceled, ...past])];
  const keys = ids.slice(0, MAX_FEED_VISITS).map((id) => layout.appointment.key({ account, id }));
  const items = await table.getMany(keys, { consistent: false, attributes: visitPart.names });
  const visits = items.map(visitPart.read).filter((visit) => isInFeed(visit, now));
  return {
    visits: visits.toSorted((one, other) => one.Start - other.Start || one.Id - other.Id),
    isCut: ids.length > MAX_FEED_VISITS,
  };
}

/** The clients of visits, by id, without erased ones. One round; 0.5 RRU for each of 4 KB. */
export async function findFeedClients(
  { account, table }: StoreReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FeedClient>> {
  const keys = [...new Set(ids)].map((id) => layout.contact.key({ account, id }));
  const attributes = ['ErasedAt', ...contactPart.names];
  const items = keys.length ? await table.getMany(keys, { consistent: false, attributes }) : [];
  return new Map(items.filter((item) => !isErased(item)).map((item) => [idOf(item), contactPart.read(item)]));
}
