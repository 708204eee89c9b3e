import { clientPart, type Visit } from '../../lib/pages/office/day.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { listBoardVisits } from '../../lib/store/board-visits.ts';
import { type FeedClient, findFeedClients } from '../../lib/store/feed-visits.ts';
import type { BoardVisit } from '../../lib/store/visit-facts.ts';
import type { UserCall } from './office-page.ts';

interface Days {
  /** `2026-12-05` */
  readonly from: string;
  readonly through: string;
  readonly zone: string;
}

interface Board {
  readonly visits: readonly Visit[];
  /** Whether the days have more visits than were read. */
  readonly isCut: boolean;
}

function toVisit(visit: BoardVisit, client: FeedClient | undefined): Visit {
  const { Id, At, Duration, ArrivalFrom: from, ArrivalThrough: through } = visit;
  return {
    id: Id,
    start: At,
    end: At + Duration * MINUTE,
    window: from === null || through === null ? null : { from, through },
    status: visit.Status,
    agentIds: visit.AgentIds,
    contactId: visit.ContactId,
    ...clientPart(client),
    service: visit.ServiceName,
    driveMinutes: visit.DriveTimeMinutes,
  };
}

/**
 * The visits of days that the user may see, with their clients if they are asked for. It reads entries of a list in
 * place of whole visits: 160 visits and their clients cost 90 RRU, by appointments/query 180.
 */
export async function loadBoard(
  { store }: Pick<UserCall, 'store'>,
  { from, through, zone }: Days,
  { withClients }: { readonly withClients: boolean },
): Promise<Board> {
  const { visits, isCut } = await listBoardVisits(
    store,
    parseTimeSpan(['from', 'through'], { from, through }, zone).span,
  );
  const ids = withClients ? visits.map(({ ContactId }) => ContactId) : [];
  const clients = await findFeedClients(store, ids);
  return { visits: visits.map((visit) => toVisit(visit, clients.get(visit.ContactId))), isCut };
}
