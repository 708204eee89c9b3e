import { agentCalendarsEntity } from '../../entities/agent-calendars.ts';
import { serviceAgentEntity } from '../../entities/service-agents.ts';
import { DAY } from '../../shared/time/time.ts';
import {
  agentCalendarsKey,
  calendarEntry,
  calendarsBeginning,
  findAgentCalendars,
  unchangedCalendars,
} from '../../store/agent-calendars.ts';
import { calendarsOf, listCalendarDays, privateTimeChanges } from '../../store/calendars.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey, toKey } from '../../store/keys.ts';
import { unchangedAgent } from '../../store/organizations/service-agents.ts';
import { accountStore } from '../../store/store.ts';
import type { Problem } from './problem.ts';

/** An agent with own calendars must have the item by which they are read. */
export async function examineOwnCalendars(table: TableReader, key: Key): Promise<Problem[]> {
  const item = await table.get(key);
  const account = accountOfKey(key);
  const agent = item && serviceAgentEntity.read(item);
  if (!agent?.Calendars.length || !account) return [];
  const store = accountStore(table, account);
  const place = { OrganizationId: agent.OrganizationId, AgentId: agent.Id };
  if (await findAgentCalendars(store, place)) return [];
  const changes = [calendarsBeginning(store, agent), unchangedAgent(store, place, agent)];
  const message = `is missing for the calendars of service agent ${agent.Id}`;
  const repair = { message: 'writes it, and they are read', changes };
  return [{ kind: 'entry', key: agentCalendarsKey(store, place), message, repair }];
}

/** An agent whose calendars are read must be in the list of all accounts. */
export async function examineCalendarEntry(table: TableReader, key: Key): Promise<Problem[]> {
  const item = await table.get(key);
  const account = accountOfKey(key);
  if (!item || !account) return [];
  const store = accountStore(table, account);
  const calendars = agentCalendarsEntity.read(item);
  const entry = calendarEntry(store, calendars);
  if (await table.get(toKey(entry))) return [];
  const changes = [{ put: entry }, unchangedCalendars(store, calendars)];
  const message = `is missing for the calendars of service agent ${calendars.AgentId}`;
  return [{ kind: 'entry', key: toKey(entry), message, repair: { message: 'writes it', changes } }];
}

/** The busy times of an agent's day must be of calendars that are read, or they would stay for ever. */
export async function examinePrivateTimes(table: TableReader, key: Key): Promise<Problem[]> {
  const day = await table.get(key);
  const account = accountOfKey(key);
  const ids = day ? calendarsOf(day) : [];
  if (!day || !account || !ids.length) return [];
  const store = accountStore(table, account);
  const place = { OrganizationId: Number(key.PK.split('#')[3]), AgentId: Number(day['Agent']) };
  const calendars = await findAgentCalendars(store, place);
  const unknown = ids.filter((id) => !calendars?.Calendars.some(({ Id }) => Id === id));
  if (!unknown.length) return [];
  const start = Date.parse(`${String(day['Day'])}T00:00:00Z`);
  const days = await listCalendarDays(store, place.OrganizationId, [
    { agentId: place.AgentId, start, end: start + DAY },
  ]);
  const emptied = unknown.map((calendarId) => ({ calendarId, times: [] }));
  const state = calendars
    ? unchangedCalendars(store, calendars)
    : { check: agentCalendarsKey(store, place), if: 'absent' as const };
  const changes = [...privateTimeChanges(store, place.OrganizationId, days, emptied), state];
  const message = `has private times of calendars that service agent ${place.AgentId} does not have`;
  return [{ kind: 'calendar', key, message, repair: { message: 'removes them', changes } }];
}
