import {
  type BusyFrom,
  type ServiceAgentRecord,
  serviceAgentEntity,
  type ServiceAgent,
} from '../entities/service-agents.ts';
import { type Input, applyText } from '../resources/fields.ts';
import { fold, isEmail, normalizeEmail } from '../shared/text/text.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import type { Role } from '../shared/roles.ts';
import { isPhoneText } from '../shared/text/phones.ts';
import { applyTimeSlots, endDateError, parseOptionalDate } from './working-hours.ts';

export type ServiceAgentInput = Input<typeof ServiceAgent>;

/** Who asks for a service agent: the role, and the agent of the key. */
interface AgentReader {
  readonly role: Role;
  readonly agent?: { readonly id: number } | null | undefined;
}

/** Makes the address of an agent's calendar; `''` for a caller who must not get it. */
export type AgentCalendarUrl = (agent: Pick<ServiceAgentRecord, 'Id' | 'OrganizationId' | 'LinksRevoked'>) => string;

const OFFICE: readonly Role[] = ['Owner', 'Admin', 'Office'];

/** Whether somebody may know which calendars of their own an agent has. */
const seesCalendars = (reader: AgentReader | undefined, { Id }: ServiceAgentRecord): boolean =>
  reader !== undefined && (OFFICE.includes(reader.role) || reader.agent?.id === Id);

/** For whom the resource of an agent is made. */
export interface AgentView {
  readonly reader?: AgentReader | undefined;
  readonly calendarUrl?: AgentCalendarUrl | undefined;
}

/** A service agent for a reader; for nobody in particular, such as in an event or an appointment, without calendars. */
export const serviceAgentToResource = (
  agent: ServiceAgentRecord,
  { reader, calendarUrl }: AgentView = {},
): ServiceAgent =>
  serviceAgentEntity.toResource(agent, {
    CalendarUrl: calendarUrl?.(agent) ?? '',
    BusyFrom: seesCalendars(reader, agent) ? agent.Calendars.map(({ Shown }) => Shown) : [],
  });

/**
 * The agent that a request refers to, by Id (`null`: unknown), else by name, else by e-mail; `undefined` for a new one.
 */
export function matchAgent(
  agents: readonly ServiceAgentRecord[],
  { Id, Name, Email }: ServiceAgentInput,
): ServiceAgentRecord | null | undefined {
  if (Id) return agents.find((agent) => agent.Id === Id) ?? null;
  const byName = Name && agents.find((agent) => fold(agent.Name) === fold(Name.trim()));
  return byName || (Email ? agents.find((agent) => normalizeEmail(agent.Email) === normalizeEmail(Email)) : undefined);
}

/** Applies a request to an agent. TimeSlots replace all existing ones; so do the calendars, which are sealed. */
export function applyAgentInput(
  before: ServiceAgentRecord,
  input: ServiceAgentInput,
  calendars: readonly BusyFrom[] = before.Calendars,
): { agent: ServiceAgentRecord; errors: FieldError[] } {
  const date = (field: 'StartDate' | 'EndDate') =>
    input[field] === undefined ? { date: before[field] } : parseOptionalDate(input[field]);
  const [start, end] = [date('StartDate'), date('EndDate')];
  const hours =
    input.TimeSlots === undefined ? { slots: before.TimeSlots, errors: [] } : applyTimeSlots(input.TimeSlots ?? []);
  const agent = {
    ...before,
    Name: applyText(input.Name, before.Name),
    Email: applyText(input.Email, before.Email),
    MobilePhone: applyText(input.MobilePhone, before.MobilePhone),
    StartDate: start.date,
    EndDate: end.date,
    TimeSlots: hours.slots,
    Calendars: calendars,
  };
  const errors = collectErrors(
    ['Name', !agent.Name && 'is required', 'required'],
    ['Email', agent.Email !== '' && !isEmail(agent.Email) && 'must be an e-mail address', 'format'],
    ['MobilePhone', agent.MobilePhone !== '' && !isPhoneText(agent.MobilePhone) && 'must be a phone number', 'format'],
    ['StartDate', start.error, 'format'],
    ['EndDate', end.error ?? endDateError(agent.StartDate, agent.EndDate), 'range'],
  );
  return { agent, errors: [...errors, ...prefixErrors('TimeSlots', hours.errors)] };
}

/** Why two agents of an organization are duplicates: by name, or by e-mail. */
export function findDuplicateAgent(
  agent: ServiceAgentRecord,
  agents: readonly ServiceAgentRecord[],
): FieldError | undefined {
  const others = agents.filter(({ Id }) => Id !== agent.Id);
  const byName = others.find(({ Name }) => fold(Name) === fold(agent.Name));
  if (byName) return { field: 'Name', code: 'duplicate', message: `is already used by service agent ${byName.Id}` };
  const byEmail =
    agent.Email !== '' && others.find(({ Email }) => normalizeEmail(Email) === normalizeEmail(agent.Email));
  return byEmail
    ? { field: 'Email', code: 'duplicate', message: `is already used by service agent ${byEmail.Id}` }
    : undefined;
}
