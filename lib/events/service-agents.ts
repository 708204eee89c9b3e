import { agentOf, type ServiceAgentRecord } from '../domain/service-agents.ts';
import type { EntityKind } from './kinds.ts';

/** Changes of service agents and their weekly hours. */
export const serviceAgent: EntityKind = {
  kinds: { created: 'serviceagent.created', updated: 'serviceagent.updated', deleted: 'serviceagent.deleted' },
  resource: (image) => ({ ...agentOf(image as unknown as ServiceAgentRecord) }),
  contactId: () => null,
};
