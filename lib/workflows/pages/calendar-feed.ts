import { agentTimes } from '../../domain/appointments/calendar.ts';
import { Status, arrivalOf } from '../../domain/appointments/record.ts';
import { calendarSettings, feedPeriod } from '../../domain/calendar-feed.ts';
import { WHOLE_ORGANIZATION } from '../../domain/client-pages.ts';
import { hasLeft } from '../../domain/leavers.ts';
import type { CalendarSettings, OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { FeedState, FeedView, FeedVisit } from '../../pages/visits-feed.ts';
import { visitUid } from '../../pages/visit-calendar.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type FeedClient, type FeedVisits, findFeedClients, listFeedVisits } from '../../store/feed-visits.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf, findAgent } from '../../store/organizations/service-agents.ts';
import type { ClientContext } from './client.ts';
import { addressOf } from './load-company.ts';

interface Owner {
  readonly organization: OrganizationRecord;
  /** `undefined` for the whole organization. */
  readonly agent: ServiceAgentRecord | undefined;
}

/** Whose calendar a link opens; `undefined` if it was revoked, the agent has left, or the organization is suspended. */
async function findOwner({ store, target, now }: ClientContext): Promise<Owner | undefined> {
  const { organization: id, id: agentId, generation } = target;
  if (id === undefined) return undefined;
  const isWhole = agentId === WHOLE_ORGANIZATION;
  const [organization, agent] = await Promise.all([
    findOrganization(store, id),
    isWhole ? undefined : findAgent(store, id, agentId),
  ]);
  if (!organization || organization.Suspended) return undefined;
  if (isWhole) return (organization.CalendarLinksRevoked ?? 0) === generation ? { organization, agent } : undefined;
  if (!agent || (agent.LinksRevoked ?? 0) !== generation) return undefined;
  return hasLeft(agent, organization.Timezone, now.getTime()) ? undefined : { organization, agent };
}

const states: Readonly<Record<number, FeedState>> = {
  [Status.Tentative]: 'tentative',
  [Status.Started]: 'started',
  [Status.Completed]: 'completed',
  [Status.Canceled]: 'canceled',
};

interface Shown {
  readonly account: string;
  readonly agent: ServiceAgentRecord | undefined;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly client: FeedClient | undefined;
  readonly settings: CalendarSettings;
}

function toFeedVisit(
  visit: FeedVisits['visits'][number],
  { account, agent, agents, client, settings }: Shown,
): FeedVisit {
  const times = agentTimes(visit);
  const own = times.find(({ agentId }) => agentId === agent?.Id);
  const { start, end } = own ?? { start: visit.Start, end: visit.Start + visit.Duration * MINUTE };
  const recorded = new Map(visit.AdditionalAgents.map(({ ServiceAgentId, Name }) => [ServiceAgentId, Name]));
  const nameOf = (id: number) => agents.get(id)?.Name ?? recorded.get(id) ?? visit.ServiceAgentName;
  // Nobody has to call the client of a canceled visit, or needs its gate code.
  const isCanceled = visit.Status === Status.Canceled;
  return {
    uid: visitUid(account, visit.Id, process.env['BASE_URL'] ?? 'https://unknown.invalid'),
    version: visit.V - visit.UnseenChanges,
    changed: visit.Updated,
    start,
    end,
    state: states[visit.Status] ?? 'scheduled',
    service: visit.ServiceName,
    client: client ? client.Name || client.Company : '',
    phones: client && settings.Phones && !isCanceled ? [client.Phone, client.AltPhone].filter(Boolean) : [],
    address: client ? addressOf(client) : '',
    arrival: arrivalOf(visit),
    agents: times.map((time) => ({ name: nameOf(time.agentId), start: time.start, end: time.end })),
    notes: settings.Notes && !isCanceled ? [visit.Notes, visit.InternalNotes].filter(Boolean).join('\n\n') : '',
  };
}

export interface LoadedFeed {
  readonly view: FeedView;
  readonly country: string;
}

/** The visits of the calendar of a link; `undefined` if it opens nothing any more. Four rounds. */
export async function loadCalendarFeed(context: ClientContext): Promise<LoadedFeed | undefined> {
  const { store, now } = context;
  const owner = await findOwner(context);
  if (!owner) return undefined;
  const { organization, agent } = owner;
  const [{ visits, isCut }, agents] = await Promise.all([
    listFeedVisits(store, { organization: organization.Id, agent: agent?.Id }, now),
    agentsOf(store, organization.Id),
  ]);
  const clients = await findFeedClients(
    store,
    visits.map(({ ContactId }) => ContactId),
  );
  const shown = { account: store.account, agent, agents, settings: calendarSettings(organization) };
  const view: FeedView = {
    company: { name: organization.PublicName, email: organization.Email },
    agent: agent?.Name,
    zone: organization.Timezone,
    period: feedPeriod(now),
    visits: visits.map((visit) => toFeedVisit(visit, { ...shown, client: clients.get(visit.ContactId) })),
    isCut,
  };
  return { view, country: organization.Country };
}
