import type { AdditionalAgent } from '../../domain/appointments/record.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import type { SlotInput } from '../../resources/appointments.ts';
import { invalid } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import type { BookingContext } from './booking-context.ts';

/** The other agents of a slot, by Id, name or e-mail; each agent once. */
export function resolveAdditionalAgents(
  { agents }: BookingContext,
  input: NonNullable<SlotInput['AdditionalServiceAgents']>,
  mainAgentId: number,
): AdditionalAgent[] {
  const errors: FieldError[] = [];
  const used = new Set([mainAgentId]);
  const resolved = input.flatMap(({ ServiceAgent, ...times }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? matchAgent([...agents.values()], ServiceAgent) : undefined;
    if (!agent) {
      const message = ServiceAgent
        ? 'must name a service agent of the organization by Id, Name or Email'
        : 'is required';
      errors.push({ field, message });
      return [];
    }
    if (used.has(agent.Id)) errors.push({ field, message: `repeats agent ${agent.Id} of the appointment` });
    used.add(agent.Id);
    const { StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null } = times;
    return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration, ActualStartMinute, ActualDuration }];
  });
  if (errors.length) throw invalid(...errors);
  return resolved;
}
