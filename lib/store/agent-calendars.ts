import {
  type AgentCalendars,
  type CalendarState,
  agentCalendarsEntity,
  calendarEntryEntity,
} from '../entities/agent-calendars.ts';
import type { RecordOf } from '../entities/declaration/entity.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { hashChange } from './events/event-sequence.ts';
import { listRange } from './dynamodb/records.ts';
import type { TableReader } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

/** The own calendars of service agents: how their reading goes, and the list of all that are to be read. */

/** By agent: 4 partitions, each of which lists 10,000 agents in a megabyte. */
export const CALENDAR_SHARDS = 4;

interface Place {
  readonly OrganizationId: number;
  readonly AgentId: number;
}

export const agentCalendarsKey = (
  { account }: StoreAccount,
  { OrganizationId: organization, AgentId: agent }: Place,
): Key => layout.agentCalendars.key({ account, organization, agent });

/** The place of an agent in the list of all accounts. */
export function calendarEntryKey(
  { account }: StoreAccount,
  { OrganizationId: organization, AgentId: agent }: Place,
): Key {
  const shard = hashChange(`${account}#${agent}`) % CALENDAR_SHARDS;
  return layout.calendarEntry.key({ shard, account, organization, agent });
}

export async function findAgentCalendars(store: StoreReader, place: Place): Promise<AgentCalendars | undefined> {
  const item = await store.table.get(agentCalendarsKey(store, place));
  return item && agentCalendarsEntity.read(item);
}

/** Those of all agents of an account, by organization and agent. */
export const listAgentCalendars = async ({ table, account }: StoreReader): Promise<AgentCalendars[]> =>
  (await listRange(table, { partition: layout.agentCalendars.of({ account }), consistent: true })).map(
    agentCalendarsEntity.read,
  );

/**
 * The change that begins to read an agent's calendars: the stream sends a new item to their queue at once. Later ones
 * are found there.
 */
export const calendarsBeginning = (store: StoreAccount, { OrganizationId, Id }: ServiceAgentRecord): Change => ({
  update: agentCalendarsKey(store, { OrganizationId, AgentId: Id }),
  set: { OrganizationId, AgentId: Id, Queue: 'calendars' },
});

interface StateUpdate {
  readonly before: AgentCalendars;
  readonly calendars: readonly CalendarState[];
}

/** Stores how the reading goes, unless another run did. Returns the next version; throws StoreConflict. */
export async function writeCalendarStates(
  store: StoreWriter,
  { before, calendars }: StateUpdate,
  others: readonly Change[] = [],
): Promise<AgentCalendars> {
  const V = before.V + 1;
  const update = agentCalendarsKey(store, before);
  await store.table.commit([{ update, set: { Calendars: calendars, V }, if: sameVersion(before) }, ...others]);
  return { ...before, Calendars: calendars, V };
}

/** A new item has no V yet. */
const sameVersion = ({ V, AgentId }: AgentCalendars) => ({ equals: { V: V || undefined, AgentId } });

/** The condition that no other run has begun since. */
export const unchangedCalendars = (store: StoreAccount, calendars: AgentCalendars): Change => ({
  check: agentCalendarsKey(store, calendars),
  if: sameVersion(calendars),
});

/** An agent on the list. */
export const calendarEntry = (store: StoreAccount, { OrganizationId, AgentId }: Place): Item => ({
  ...calendarEntryKey(store, { OrganizationId, AgentId }),
  Account: store.account,
  OrganizationId,
  AgentId,
});

/** Puts an agent on the list. Safe to repeat. */
export const writeCalendarEntry = (store: StoreWriter, place: Place): Promise<void> =>
  store.table.putMany([calendarEntry(store, place)]);

/** Takes an agent without calendars off the list. */
export const removalChanges = (store: StoreAccount, calendars: AgentCalendars): Change[] => [
  { remove: agentCalendarsKey(store, calendars), if: sameVersion(calendars) },
  { remove: calendarEntryKey(store, calendars) },
];

export const writeEntryRemoval = (store: StoreWriter, place: Place): Promise<void> =>
  store.table.putMany([], [calendarEntryKey(store, place)]);

export type CalendarEntry = RecordOf<typeof calendarEntryEntity>;

const PAGE = 1_000;

/** A page of the agents of a shard, in a fixed order. An empty one costs 0.5 RRU, 1,000 agents 16. */
export async function listCalendarEntries(
  table: TableReader,
  { shard, after }: { shard: number; after: string | undefined },
): Promise<{ entries: CalendarEntry[]; next: string | undefined }> {
  const page = await table.query({ partition: layout.calendarEntry.of({ shard }), after, limit: PAGE });
  return { entries: page.items.map(calendarEntryEntity.read), next: page.next };
}
