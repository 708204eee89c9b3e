import { createHash } from 'node:crypto';
import { hasLeft } from '../../domain/leavers.ts';
import {
  afterFailure,
  clearedWindow,
  isGivenUp,
  newState,
  readWindow,
  sizeOf,
} from '../../domain/private-events/own-calendars.ts';
import { type Interval, calendarDays } from '../../domain/scheduling/calendar.ts';
import { completeTask } from '../../domain/tasks.ts';
import type { AgentCalendars, CalendarState } from '../../entities/agent-calendars.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { BusyFrom, ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import type { QueueMessage, QueueOutcome, FailedMessage } from '../../shared/queues.ts';
import { DAY, toFriendly, toLocalDate } from '../../shared/time/time.ts';
import { unseal } from '../../shared/web/sealed-text.ts';
import {
  findAgentCalendars,
  removalChanges,
  unchangedCalendars,
  writeCalendarEntry,
  writeCalendarStates,
  writeEntryRemoval,
} from '../../store/agent-calendars.ts';
import { type PrivateTimes, listCalendarDays, privateTimeChanges } from '../../store/calendars.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict, retryOnConflict } from '../../store/dynamodb/errors.ts';
import { type TableWriter, withCurrentValues } from '../../store/dynamodb/table.ts';
import { accountOfKey } from '../../store/keys.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findAgent, unchangedAgent } from '../../store/organizations/service-agents.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';
import { findTask, taskChanges } from '../../store/tasks.ts';
import { closedReason } from '../organizations/require-open.ts';
import { newOfficeTask } from '../pages/office-task.ts';
import { type FetchCalendar, readCalendar } from './read-calendar.ts';
import { sealName } from './seal-name.ts';

export interface CalendarReading {
  readonly fetch: FetchCalendar;
  /** Reads the deployment's key, which seals the addresses. */
  readonly readKey: () => Promise<string>;
}

/**
 * Reads the own calendars of a batch of agents, and stores when they are busy in the days of the agents. Writes at
 * once. Safe to repeat, also concurrently and after a kill: the state says that times are incomplete before the first
 * day is written, each day is written only while the state is that of this run, and a later run starts with all days.
 */
export async function readCalendars(
  table: TableWriter,
  messages: readonly QueueMessage[],
  { now }: Pick<BatchOptions, 'now'>,
  reading: CalendarReading,
): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  const work = messages.map(async (message, index) => {
    try {
      await readAgent(accountStore(withCurrentValues(table), accountOfKey(message) ?? ''), message, now, reading);
    } catch (error) {
      failures.push({ index, error });
    }
  });
  await Promise.all(work);
  return { done: messages.length - failures.length, failures };
}

/** The agent of a message, whose state may be gone. */
function placeOf({ SK }: QueueMessage) {
  const [OrganizationId = 0, AgentId = 0] = SK.split('#').map(Number);
  return { OrganizationId, AgentId };
}

interface Run extends CalendarReading {
  readonly store: StoreWriter;
  readonly now: Date;
  readonly organization: OrganizationRecord | undefined;
  readonly agent: ServiceAgentRecord | undefined;
  readonly zone: string;
  readonly window: Interval;
}

async function readAgent(
  store: StoreWriter,
  message: QueueMessage,
  now: Date,
  reading: CalendarReading,
): Promise<void> {
  const place = placeOf(message);
  const [agent, organization, stored] = await Promise.all([
    findAgent(store, place.OrganizationId, place.AgentId),
    findOrganization(store, place.OrganizationId),
    findAgentCalendars(store, place),
  ]);
  if (!stored) return writeEntryRemoval(store, place);
  const zone = organization?.Timezone || 'UTC';
  const run: Run = { ...reading, store, now, organization, agent, zone, window: readWindow(now.getTime(), zone) };
  try {
    await readStored(run, stored);
  } catch (error) {
    // Another run reads the same agent.
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/** The calendars that count: none of an agent who has left, or of an organization that takes no visits. */
function calendarsOf({ agent, organization, zone, now }: Run): readonly BusyFrom[] {
  if (!agent || !organization || closedReason(organization) || hasLeft(agent, zone, now.getTime())) return [];
  return agent.Calendars;
}

async function readStored(run: Run, stored: AgentCalendars): Promise<void> {
  const { store, agent, organization } = run;
  const wanted = calendarsOf(run);
  if (stored.V === 0 && wanted.length) await writeCalendarEntry(store, stored);
  const gone = stored.Calendars.filter(({ Id }) => !wanted.some((calendar) => calendar.Id === Id));
  const found = await Promise.all(
    wanted.map(async (calendar) => {
      const before = stored.Calendars.find(({ Id }) => Id === calendar.Id) ?? newState(calendar.Id);
      return { calendar, before, ...(await readOne(run, calendar, before)) };
    }),
  );
  const settled = await storeTimes(run, stored, { gone, found });
  const tasks = (await Promise.all(gone.map((state) => closeTask(run, state)))).flat();
  if (!organization || !agent?.Calendars.length) {
    const removal = removalChanges(store, settled);
    await store.table.commit([...removal, ...tasks, unchangedAgent(store, stored, agent)]);
    return;
  }
  const states = await Promise.all(found.map((each) => taskOfCalendar(run, each)));
  const calendars = states.map(({ state }) => state);
  const changes = [...tasks, ...states.flatMap((each) => each.changes)];
  await writeCalendarStates(store, { before: settled, calendars }, changes);
}

/** Two lists of times have the same digest only if they are the same. */
const digestOf = (times: readonly Interval[]): string =>
  createHash('sha256')
    .update(JSON.stringify(times.map(({ start, end }) => [start, end])))
    .digest('base64url');

interface ReadCalendar {
  readonly state: CalendarState;
  /** The times that the days must have; `undefined` if they have them. */
  readonly times: readonly Interval[] | undefined;
}

async function readOne(run: Run, calendar: BusyFrom, before: CalendarState): Promise<ReadCalendar> {
  const { store, now, zone, window, fetch, readKey } = run;
  const at = now.getTime();
  const Day = toLocalDate(at, zone);
  const isComplete = before.Digest !== '' && before.Day === Day && before.Zone === zone;
  const address = unseal(calendar.Sealed, await readKey(), sealName(store.account));
  const read = await readCalendar(fetch, address, {
    known: isComplete ? before : undefined,
    zone,
    window,
    account: store.account,
  });
  if (read.kind === 'failed') {
    const state = afterFailure(before, read.reason, at);
    const isEmptied = isGivenUp(state, at) && !before.TaskId;
    return isEmptied
      ? { state: { ...state, ETag: '', Modified: '', Digest: '', ...sizeOf([]) }, times: [] }
      : { state, times: undefined };
  }
  const good = { ...before, TriedAt: at, ReadAt: at, FailingSince: null, Reason: '' };
  if (read.kind === 'unchanged') return { state: good, times: undefined };
  const Digest = digestOf(read.times);
  const state = { ...good, ETag: read.etag, Modified: read.modified, Digest, Day, Zone: zone, ...sizeOf(read.times) };
  return { state, times: isComplete && before.Digest === Digest ? undefined : read.times };
}

interface FoundTimes {
  readonly gone: readonly CalendarState[];
  readonly found: readonly (ReadCalendar & { readonly before: CalendarState })[];
}

/** Days whose changes fit in one transaction, with a check. */
const DAYS_AT_ONCE = 60;

/** Gives the days their new times; returns the state with which they were written. */
async function storeTimes(run: Run, stored: AgentCalendars, { gone, found }: FoundTimes): Promise<AgentCalendars> {
  const { store, window } = run;
  const changed = [
    ...gone.map(({ Id }): PrivateTimes => ({ calendarId: Id, times: [] })),
    ...found.flatMap(({ before, times }): PrivateTimes[] => (times ? [{ calendarId: before.Id, times }] : [])),
  ];
  if (!changed.length) return stored;
  const incomplete = [...gone, ...found.map(({ before }) => before)].map((state) =>
    changed.some(({ calendarId }) => calendarId === state.Id)
      ? { ...state, ETag: '', Modified: '', Digest: '' }
      : state,
  );
  const claimed = await writeCalendarStates(store, { before: stored, calendars: incomplete });
  const { AgentId: agentId, OrganizationId } = stored;
  const days = calendarDays(clearedWindow(window));
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
    const some = days.slice(first, first + DAYS_AT_ONCE);
    const start = Date.parse(`${some[0]}T00:00:00Z`);
    const span = { agentId, start, end: start + some.length * DAY };
    await retryOnConflict(async () => {
      const loaded = await listCalendarDays(store, OrganizationId, [span]);
      const changes = privateTimeChanges(store, OrganizationId, loaded, changed);
      if (changes.length) await store.table.commit([...changes, unchangedCalendars(store, claimed)]);
    });
  }
  return claimed;
}

/** The type of a task that is no call, visit or e-mail. */
const OTHER = 0;

/** The task of a calendar that cannot be read any more, once; it is completed when the calendar can be read again. */
async function taskOfCalendar(
  run: Run,
  { calendar, state }: { readonly calendar: BusyFrom; readonly state: CalendarState },
): Promise<{ readonly state: CalendarState; readonly changes: readonly Change[] }> {
  const { store, now, agent, organization, zone } = run;
  if (state.FailingSince === null && state.TaskId)
    return { state: { ...state, TaskId: 0 }, changes: await closeTask(run, state) };
  if (!isGivenUp(state, now.getTime()) || state.TaskId || !agent || !organization) return { state, changes: [] };
  const Description =
    `The calendar ${calendar.Shown} of ${agent.Name} cannot be read since ` +
    `${toFriendly(state.FailingSince ?? now.getTime(), zone)}: ${state.Reason} Its private events no longer block ` +
    'slots. Ask for the address of the calendar again, or remove it.';
  const { record, change } = await newOfficeTask(
    { store, now },
    { OrganizationId: organization.Id, ContactId: null, Description, TaskType: OTHER, Category: 'Calendars' },
  );
  return { state: { ...state, TaskId: record.Id }, changes: [change] };
}

/** Completes the task of a calendar, unless somebody did. */
async function closeTask({ store, now }: Run, { TaskId }: CalendarState): Promise<Change[]> {
  const task = TaskId ? await findTask(store, TaskId) : undefined;
  const outcome = task && completeTask(task, { note: DONE, by: 'Calendars', at: now.getTime() });
  if (!task || outcome?.kind !== 'completed') return [];
  return [taskChanges(store, { before: task, after: outcome.task, now }).change];
}

const DONE = 'The calendar can be read again, or is removed.';
