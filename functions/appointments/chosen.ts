import { invalid, notFound, type FieldError } from '../../lib/api/failure.ts';
import type { AdditionalAgent } from '../../lib/domain/appointments/record.ts';
import { parseMoment } from '../../lib/domain/moments-in.ts';
import { namedAgent } from '../../lib/domain/service-agents.ts';
import type { AppointmentSlot } from '../../lib/resources/appointments.ts';
import type { Input } from '../../lib/resources/resource.ts';
import type { Home } from './home.ts';

/** A slot as a request brings it. */
export type GivenSlot = Input<typeof AppointmentSlot>;

/** The moment of a slot, in the organization's zone unless it has an offset. */
export function startOf(text: string, zone: string, field = 'Slots[0].DateTime'): number {
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw invalid({ Field: field, Message: `cannot be read: ${parsed.reason}` });
  if (parsed.dateOnly) throw invalid({ Field: field, Message: 'must have a time of day' });
  return parsed.at;
}

/** An agent of the organization, 404 where there is none of the id. */
export function agentIn({ agents }: Home, id: number, field: string): { readonly ServiceAgentId: number; readonly ServiceAgentName: string } {
  const agent = agents.get(id);
  if (!agent) throw notFound('service agent', field, id);
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

/** The other agents of a slot, by Id, name or e-mail; each agent once. */
export function additionalIn(home: Home, given: NonNullable<GivenSlot['AdditionalServiceAgents']>, main: number): AdditionalAgent[] {
  const errors: FieldError[] = [];
  const taken = new Set([main]);
  const all = [...home.agents.values()];
  const found = given.flatMap(({ ServiceAgent, StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? namedAgent(all, ServiceAgent) : undefined;
    if (!agent) {
      errors.push({ Field: field, Message: ServiceAgent ? 'is no service agent of the organization, by Id, Name or Email' : 'is required' });
      return [];
    }
    if (taken.has(agent.Id)) errors.push({ Field: field, Message: `is agent ${agent.Id}, who is at the appointment already` });
    taken.add(agent.Id);
    return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration, ActualStartMinute, ActualDuration }];
  });
  if (errors.length) throw invalid(...errors);
  return found;
}
