import { DAY } from '../../lib/shared/time/time.ts';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { agentsOf } from '../../lib/store/organizations/service-agents.ts';
import { findUsers } from '../../lib/store/organizations/users.ts';
import type { UserCall } from './office-page.ts';

interface Named {
  readonly Id: number;
  readonly Name: string;
}

/** What the pages need of the user's organization. */
export interface Company {
  readonly Timezone: string;
  /** All agents; for a service agent that one alone. */
  readonly ServiceAgents: readonly Named[];
}

/** From what the container remembers of the organization (decision 15): a page waits for it in no round of its own. */
export async function loadCompany({ session, store }: Pick<UserCall, 'session' | 'store'>): Promise<Company> {
  const organizationId = session.OrganizationId ?? 0;
  const [{ Timezone }, agents] = await Promise.all([
    getOrganization(store, organizationId),
    agentsOf(store, organizationId),
  ]);
  const isShown = ({ Id }: Named) => session.AgentId === null || session.AgentId === Id;
  return { Timezone, ServiceAgents: [...agents.values()].filter(isShown) };
}

/** The name of a user, which service agents do not see. */
export async function findUserName(
  { session, store }: Pick<UserCall, 'session' | 'store'>,
  id: number | null,
): Promise<string> {
  if (id === null || session.AgentId !== null) return '';
  const [user] = await findUsers(store, [id]);
  return user?.Name ?? '';
}

/** `2026-12-05` some days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
