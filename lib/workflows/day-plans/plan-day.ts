import type { DayPlanInput } from '../../resources/day-plans.ts';
import type { PlanRevision } from '../../domain/appointments/plan-revision.ts';
import { type DayMove, type PlannedAgent, type PlannedDay, planDay } from '../../domain/scheduling/day-plan.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import { invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { parseCalendarDate } from '../../shared/time/read-moments.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { loadCompany } from '../booking/read.ts';
import type { Company } from '../booking/types.ts';
import type { WriteContext } from '../context.ts';
import { type LoadedDay, MAX_AGENTS, loadDay } from './load-day.ts';

/** Proposes the order of a day. Nothing is written. */

/** The same day gets the same plan, unless the search takes five seconds. */
const SEARCH = { seed: 1, milliseconds: 5_000 };

/** A transaction takes 100 changes; the others are proposals, contacts and the saved response. */
const MAX_PLANNED_CHANGES = 92;

export interface ProposedDay {
  readonly company: Company;
  readonly date: string;
  readonly loaded: LoadedDay;
  readonly planned: PlannedDay;
  /** Applies the plan as long as its visits are as they were read. */
  readonly revision: PlanRevision;
}

/** The organization of a plan with its agents. */
export async function loadPlannedCompany(
  context: WriteContext,
  { OrganizationId }: Pick<DayPlanInput, 'OrganizationId'>,
): Promise<Company> {
  const { store, caller } = context;
  if (OrganizationId && OrganizationId !== caller.organizationId)
    orNotFound(await findOrganization(store, OrganizationId), 'organization', 'OrganizationId', OrganizationId);
  const id = (OrganizationId || caller.organizationId) ?? (await findDefaultOrganization(store));
  return loadCompany(context, id);
}

export const readPlannedDate = ({ Date: text }: Pick<DayPlanInput, 'Date'>): string =>
  orInvalid(parseCalendarDate(text ?? ''), 'Date').date;

export async function proposeDay(request: DayPlanInput, context: WriteContext): Promise<ProposedDay> {
  const company = await loadPlannedCompany(context, request);
  const date = readPlannedDate(request);
  const loaded = await loadDay(context, company, {
    date,
    agents: requestedAgents(request, company, date),
    acrossAgents: request.AcrossAgents ?? false,
    moveConfirmed: request.MoveConfirmed ?? false,
    queued: request.Queue ? 'due' : [],
  });
  const planned = planDay(loaded, { search: SEARCH, changes: MAX_PLANNED_CHANGES });
  return { company, date, loaded, planned, revision: revisionOf(company, date, loaded, planned) };
}

/** The agents of Agents, else all who belong to the company on the day. */
function requestedAgents({ Agents }: DayPlanInput, { agents }: Company, date: string): ServiceAgentRecord[] {
  const named = [...new Set(Agents ?? [])];
  const requested = named.length
    ? named.map((id) => orNotFound(agents.get(id), 'service agent', 'Agents', id))
    : [...agents.values()].filter(
        ({ StartDate, EndDate }) => (!StartDate || StartDate <= date) && (!EndDate || date <= EndDate),
      );
  if (requested.length > MAX_AGENTS)
    throw invalid({
      field: 'Agents',
      code: 'limit',
      message: `is required: the organization has ${requested.length} agents, and one plan takes at most ${MAX_AGENTS}`,
    });
  return requested;
}

const hasMoves = ({ agent: { Id } }: PlannedAgent, moves: readonly DayMove[]): boolean =>
  moves.some(({ agentId, stop }) => agentId === Id || stop.agentId === Id);

/** Covers every visit of the agents whose days change, and the queued visits that are placed. */
function revisionOf(
  { organization }: Company,
  date: string,
  { visits }: LoadedDay,
  { agents, moves }: PlannedDay,
): PlanRevision {
  const changed = agents.filter((each) => hasMoves(each, moves));
  const ids = [
    ...changed.flatMap(({ before }) => before.map(({ stop }) => stop.appointmentId)),
    ...moves.map(({ stop }) => stop.appointmentId),
  ];
  return {
    organizationId: organization.Id,
    date,
    agentIds: changed.map(({ agent }) => agent.Id),
    versions: new Map(ids.map((id) => [id, visits.get(id)?.V ?? 0])),
    moves: moves.map(({ stop, start, agentId }) => ({ appointmentId: stop.appointmentId, start, agentId })),
  };
}
