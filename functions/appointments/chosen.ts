import { invalid, notFound } from '../../lib/api/failure.ts';
import { parseMoment } from '../../lib/domain/moments-in.ts';
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
