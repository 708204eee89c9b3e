import { DAY } from '../../lib/shared/time/time.ts';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { agentsOf } from '../../lib/store/organizations/service-agents.ts';
import type { UserCall } from './office-page.ts';

/** What the pages need of the user's organization. */
export interface Company {
  readonly OrganizationId: number;
  readonly Timezone: string;
  readonly Users: readonly { readonly Id: number; readonly Name: string }[];
  readonly ServiceAgents: readonly { readonly Id: number; readonly Name: string }[];
}

/** The company of the user's organization; for a service agent, who may not see its users, with that agent alone. */
export async function loadCompany({
  call,
  session,
  store,
}: Pick<UserCall, 'call' | 'session' | 'store'>): Promise<Company> {
  const OrganizationId = session.OrganizationId ?? 0;
  if (session.AgentId === null)
    return call<Company>({ operation: 'organizations/details', request: { OrganizationId } });
  const [{ Timezone }, agents] = await Promise.all([
    getOrganization(store, OrganizationId),
    agentsOf(store, OrganizationId),
  ]);
  const agent = agents.get(session.AgentId);
  const ServiceAgents = agent ? [{ Id: agent.Id, Name: agent.Name }] : [];
  return { OrganizationId, Timezone, Users: [], ServiceAgents };
}

/** `2026-12-05` some days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
