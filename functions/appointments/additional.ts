import type { AdditionalAgent } from '../../lib/domain/appointments/record.ts';
import type { Fault } from '../../lib/domain/faults.ts';
import { namedAgent } from '../../lib/domain/service-agents.ts';
import type { GivenSlot } from './chosen.ts';
import type { Home } from './home.ts';
import { faults, type Refusal } from './refusal.ts';

/** The other agents of a slot, by Id, name or e-mail; each agent once. */
export function additionalIn(home: Home, given: NonNullable<GivenSlot['AdditionalServiceAgents']>, main: number): AdditionalAgent[] | Refusal {
  const errors: Fault[] = [];
  const taken = new Set([main]);
  const all = [...home.agents.values()];
  const found = given.flatMap(({ ServiceAgent, StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? namedAgent(all, ServiceAgent) : undefined;
    if (!agent) {
      errors.push({ field, message: ServiceAgent ? 'is no service agent of the organization, by Id, Name or Email' : 'is required' });
      return [];
    }
    if (taken.has(agent.Id)) errors.push({ field, message: `is agent ${agent.Id}, who is at the appointment already` });
    taken.add(agent.Id);
    return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration, ActualStartMinute, ActualDuration }];
  });
  return errors.length ? faults(...errors) : found;
}
