import type { AdditionalAgent, AppointmentRecord } from '../../entities/appointments.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import type { SlotInput } from '../../resources/appointments.ts';
import { invalid, orInvalid } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import type { ReadContext } from '../context.ts';
import { agentNotFound, describeUnknownAgent } from '../suggestions.ts';
import type { BookingContext } from './booking-context.ts';

export async function requireAgent(
  context: ReadContext,
  { agents, organization }: BookingContext,
  id: number,
  field: string,
): Promise<Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'>> {
  const agent = agents.get(id);
  if (!agent) throw await agentNotFound(context, organization.Id, agents.values(), { field, id });
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

/** The other agents of a slot, by Id, name or e-mail; each agent once. A Duration of 0 is the whole appointment. */
export async function resolveAdditionalAgents(
  context: ReadContext,
  { agents, organization }: BookingContext,
  input: NonNullable<SlotInput['AdditionalServiceAgents']>,
  mainAgentId: number,
): Promise<AdditionalAgent[]> {
  const errors: FieldError[] = [];
  const unknown = input.find(
    ({ ServiceAgent }) => ServiceAgent && !matchAgent([...agents.values()], ServiceAgent),
  )?.ServiceAgent;
  const advice = unknown ? await describeUnknownAgent(context, organization.Id, agents.values(), unknown) : '';
  const used = new Set([mainAgentId]);
  const resolved = input.flatMap(({ ServiceAgent, ...times }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? matchAgent([...agents.values()], ServiceAgent) : undefined;
    if (!agent) {
      const known = 'must name a service agent of the organization by Id, Name or Email.';
      const message = ServiceAgent ? `${known} ${ServiceAgent === unknown ? advice : ''}`.trim() : 'is required';
      errors.push({ field, code: ServiceAgent ? 'not_found' : 'required', message });
      return [];
    }
    if (used.has(agent.Id))
      errors.push({ field, code: 'duplicate', message: `repeats agent ${agent.Id} of the appointment` });
    used.add(agent.Id);
    const { StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null } = times;
    const actuals = { ActualStartMinute, ActualDuration };
    return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration: Duration || null, ...actuals }];
  });
  if (errors.length) throw invalid(...errors);
  return resolved;
}

/** The start of a slot, in the organization's zone unless it has an offset. */
export function parseStart(text: string, zone: string): number {
  const field = 'Slots[0].DateTime';
  const { at, dateOnly } = orInvalid(parseMoment(text, zone), field);
  if (dateOnly) throw invalid({ field, code: 'format', message: 'must have a time of day' });
  return at;
}
