import type { AgentCalendarUrl } from '../../domain/service-agents.ts';
import { findAccountLinks, findClientLinks } from '../../store/links.ts';
import type { ReadContext } from '../context.ts';

/** Makes the addresses of calendars that a caller gets: of all agents with its role, or of its own agent alone. */
export async function findCalendarUrls({ store, caller, now }: ReadContext): Promise<AgentCalendarUrl> {
  const own = store.agent?.id;
  const link = await (own === undefined ? findClientLinks(store, caller.role, now) : findAccountLinks(store, now));
  return ({ Id, OrganizationId, LinksRevoked = 0 }) =>
    own === undefined || own === Id ? link('calendar', Id, LinksRevoked, OrganizationId) : '';
}
