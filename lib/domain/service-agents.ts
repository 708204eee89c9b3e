import type { ServiceAgent } from '../resources/organizations.ts';
import type { Input } from '../resources/resource.ts';
import { isEmail, normalizeEmail } from '../shared/emails.ts';
import { type FieldError, prefixErrors } from '../shared/field-errors.ts';
import { isPhoneText } from '../shared/phones.ts';
import { fold } from '../shared/text.ts';
import type { OrganizationRecord } from './organizations.ts';
import { type TimeOff, parseSlotDate, sortTimeSlots, applyTimeSlots } from './working-hours.ts';

/** A service agent as a request brings it. */
export type ServiceAgentInput = Input<typeof ServiceAgent>;

/** A service agent as it is kept. Dates are `YYYY-MM-DD`, `""` when open. */
export interface ServiceAgentRecord extends ServiceAgent {
  readonly OrganizationId: number;
  /** In order. Only the company file sets it. */
  readonly TimeOff: readonly TimeOff[];
  readonly Created: number;
  readonly V: number;
}

/** An agent of whom only what is given is known. */
export const blankAgent = (
  input: Pick<ServiceAgentRecord, 'Id' | 'OrganizationId' | 'Created'> & Partial<ServiceAgentRecord>,
): ServiceAgentRecord => ({
  Name: '',
  Email: '',
  MobilePhone: '',
  StartDate: '',
  EndDate: '',
  TimeSlots: [],
  TimeOff: [],
  V: 0,
  ...input,
});

/** The agent as operations answer it. */
export const serviceAgentToResource = ({
  Id,
  Name,
  Email,
  MobilePhone,
  StartDate,
  EndDate,
  TimeSlots,
}: ServiceAgentRecord): ServiceAgent => ({ Id, Name, Email, MobilePhone, StartDate, EndDate, TimeSlots });

/**
 * Which of an organization's agents a request speaks of: by Id (`null` when there is none of that id), else by name,
 * else by e-mail; `undefined`: a new one.
 */
export function findAgentByName(
  agents: readonly ServiceAgentRecord[],
  { Id, Name, Email }: ServiceAgentInput,
): ServiceAgentRecord | null | undefined {
  if (Id) return agents.find((agent) => agent.Id === Id) ?? null;
  const byName = Name && agents.find((agent) => fold(agent.Name) === fold(Name.trim()));
  return byName || (Email ? agents.find((agent) => normalizeEmail(agent.Email) === normalizeEmail(Email)) : undefined);
}

/**
 * An agent with what a request brings laid over it: absent means unchanged, `null` clears; TimeSlots given are all that
 * there are then.
 */
export function applyAgentInput(
  agent: ServiceAgentRecord,
  input: ServiceAgentInput,
  { Timezone }: Pick<OrganizationRecord, 'Timezone'>,
): { agent: ServiceAgentRecord; errors: FieldError[] } {
  const text = (value: string | null | undefined, was: string) => (value === undefined ? was : (value ?? '').trim());
  const start = input.StartDate === undefined ? { date: agent.StartDate } : parseSlotDate(input.StartDate, Timezone);
  const end = input.EndDate === undefined ? { date: agent.EndDate } : parseSlotDate(input.EndDate, Timezone);
  const hours =
    input.TimeSlots === undefined
      ? { slots: agent.TimeSlots, errors: [] }
      : applyTimeSlots(input.TimeSlots ?? [], Timezone);
  const merged = {
    ...agent,
    Name: text(input.Name, agent.Name),
    Email: text(input.Email, agent.Email),
    MobilePhone: text(input.MobilePhone, agent.MobilePhone),
    StartDate: start.date,
    EndDate: end.date,
    TimeSlots: hours.slots,
  };
  const said = (field: string, message: string | undefined | false) => (message ? [{ field, message }] : []);
  const errors = [
    ...said('Name', !merged.Name && 'is required'),
    ...said('Email', merged.Email !== '' && !isEmail(merged.Email) && 'must be an e-mail address'),
    ...said('MobilePhone', merged.MobilePhone !== '' && !isPhoneText(merged.MobilePhone) && 'must be a phone number'),
    ...said('StartDate', start.fault),
    ...said(
      'EndDate',
      end.fault ??
        (!sortTimeSlots(merged.StartDate, merged.EndDate) && `must not be before StartDate ${merged.StartDate}`),
    ),
    ...prefixErrors('TimeSlots', hours.errors),
  ];
  return { agent: merged, errors };
}

/**
 * What about an agent would make two of its organization alike: its name, or its e-mail. `undefined` when nothing does.
 */
export function findDuplicateAgent(
  agent: ServiceAgentRecord,
  others: readonly ServiceAgentRecord[],
): FieldError | undefined {
  const namesake = others.find((other) => other.Id !== agent.Id && fold(other.Name) === fold(agent.Name));
  if (namesake) return { field: 'Name', message: `is also that of service agent ${namesake.Id}` };
  const same =
    agent.Email &&
    others.find((other) => other.Id !== agent.Id && normalizeEmail(other.Email) === normalizeEmail(agent.Email));
  return same ? { field: 'Email', message: `is also that of service agent ${same.Id}` } : undefined;
}
