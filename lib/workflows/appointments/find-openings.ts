import { isWithin } from '../../domain/scheduling/arrival-windows.ts';
import type { Calendar, Interval, Timeframe } from '../../domain/scheduling/calendar.ts';
import { type SlotRefusal, checkSlot, refusalOf } from '../../domain/scheduling/check.ts';
import { type Slot, type SlotSearchResult, findSlots } from '../../domain/scheduling/slots.ts';
import type { BookingContext } from '../booking/types.ts';
import { firstBookableDay } from '../booking/reserve.ts';
import type { PagerContext } from '../context.ts';
import { type SearchedDays, searchCalendar } from './search-calendar.ts';

export type Opening = Pick<Slot, 'start' | 'agentId' | 'arrival'>;

interface OpeningSearch {
  readonly minutes: number;
  readonly from: number;
  /** Accepts only that start. */
  readonly fixed: boolean;
  /** Accepts only starts in this interval, which contains `from`. */
  readonly within?: Interval | undefined;
  /** Offered in place of exact starts. */
  readonly arrivalWindows?: readonly Timeframe[];
  /** Searches only this agent. */
  readonly agentId: number | undefined;
  /** Agents who must be free at the same time. */
  readonly additionalAgentIds: readonly number[];
  /** Handles of holds to ignore. */
  readonly released?: ReadonlySet<string> | undefined;
  /** The appointment to be moved, which does not block itself. */
  readonly appointmentId?: number | undefined;
  /** How many openings are enough; 1 by default. */
  readonly enough?: number;
}

type AgentFilter = (agent: Calendar['agents'][number]) => boolean;

/** The slots of the given agents on the days that were read. */
export const findSlotsOf = (
  { calendar, work, window }: SearchedDays,
  isSearched: AgentFilter,
  accepts?: (opening: Opening) => boolean,
): SlotSearchResult => findSlots({ ...calendar, agents: calendar.agents.filter(isSearched) }, work, window, accepts);

/** The openings of the current calendar, earliest first; `reason` explains an empty list. */
export async function findOpenings(
  context: PagerContext,
  booking: BookingContext,
  { fixed, within, agentId, additionalAgentIds, enough = 1, ...search }: OpeningSearch,
): Promise<Openings> {
  const agentIds = agentId === undefined ? undefined : [agentId, ...additionalAgentIds];
  // The search covers only days that may be booked.
  const begin = fixed ? search.from : Math.max(search.from, firstBookableDay(context, booking));
  const span = { ...search, from: begin, days: fixed || within ? 1 : undefined, agentIds };
  const isSearched: AgentFilter = ({ agent }) =>
    agentId === undefined ? !additionalAgentIds.includes(agent.Id) : agent.Id === agentId;
  const { found, end } = await searchCalendar(context, booking, span, {
    search(searched) {
      const { calendar, work } = searched;
      const othersAreFree = ({ start }: Opening) =>
        additionalAgentIds.every((otherId) => checkSlot(calendar, work, { start, agentId: otherId }).ok);
      const { openings, reason } = fixed
        ? findFixedOpenings(searched, search.from, isSearched)
        : findFirstOpenings(searched, isSearched, othersAreFree);
      const free = openings.filter((opening) => (!within || isWithin(opening.start, within)) && othersAreFree(opening));
      return { found: { openings: free, reason }, isEnough: free.length >= enough };
    },
    consistent: true,
  });
  const { openings, reason } = found;
  if (!end || openings.length) return found;
  const message = `${reason.message} The search stopped after ${end.through}: continue with a later start.`;
  return { openings, reason: { ...reason, message } };
}

interface Openings {
  readonly openings: readonly Opening[];
  readonly reason: { readonly code: SlotRefusal | 'no_opening'; readonly message: string };
}

function findFirstOpenings(
  searched: SearchedDays,
  isSearched: AgentFilter,
  accepts: (opening: Opening) => boolean,
): Openings {
  const { slots, reason } = findSlotsOf(searched, isSearched, accepts);
  const message = reason?.message ?? 'No time is free for all agents.';
  return { openings: slots, reason: { code: 'no_opening', message } };
}

function findFixedOpenings({ calendar, work }: SearchedDays, start: number, isSearched: AgentFilter): Openings {
  const agents = calendar.agents.filter(isSearched);
  const checks = agents.map(({ agent }) => {
    const opening = { start, agentId: agent.Id };
    return { opening, check: checkSlot({ ...calendar, agents }, work, opening) };
  });
  const openings = checks.flatMap(({ opening, check }) => (check.ok ? [opening] : []));
  const [refused] = checks.flatMap(({ check }) => (check.ok ? [] : [check]));
  const reason: Openings['reason'] = refused
    ? { code: refusalOf(refused.rule), message: refused.message }
    : { code: 'agent_unable', message: 'The organization has no service agent for this.' };
  return { openings, reason };
}
