import type { Position } from '../../domain/postal/localities.ts';
import type { Roads } from '../../domain/appointments/calendar.ts';
import type { DriveTimes, Job } from '../../domain/scheduling/calendar.ts';
import { greatCircleDriving } from '../../domain/scheduling/plans.ts';
import {
  type RoadFactors,
  areaOf,
  centerOf,
  factorBetween,
  factorOf,
  roadDriving,
} from '../../domain/scheduling/roads.ts';
import { hasRoads } from '../../roads/open-roads.ts';
import { findRoadFactors, writeRoadFactors } from '../../store/roads.ts';
import type { PagerContext } from '../context.ts';
import { askRoads } from './ask-roads.ts';

/** The areas that one call asks for on each side, which bounds what it costs: 50 × 50 drives. */
const MAX_FROM = 50;
const MAX_TO = 500;
const MAX_DRIVES = 2_500;

type Place = Position | null;

const areasOf = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap((place) => (place ? [areaOf(place)] : []))),
];

/** Where the agents start, and the drives between the work and everything else that they drive to. */
export async function loadRoads(
  context: PagerContext,
  start: Place,
  { work, jobs }: { readonly work: readonly Place[]; readonly jobs: readonly Job[] },
): Promise<Roads> {
  const others = [start, ...work, ...jobs.map(({ position }) => position)];
  return { startPosition: start, driveTimes: await loadDriveTimes(context, work, others) };
}

/**
 * The drive times from places to others, and back: estimates by great circle, or with a service of roads the estimates
 * by the factors of their areas. The service is asked for factors that the table does not have. Two rounds.
 */
async function loadDriveTimes(
  context: PagerContext,
  from: readonly Place[],
  to: readonly Place[],
): Promise<DriveTimes> {
  if (!hasRoads()) return greatCircleDriving();
  const { store, now } = context;
  const origins = areasOf(from);
  const kept = await findRoadFactors(store, origins, now);
  const factors = new Map(
    kept.map(({ Area, Factors }) => [Area, new Map(Factors.map(({ To, Factor }) => [To, Factor]))]),
  );
  const asked = missingOf(factors, origins, areasOf(to));
  if (!asked.from.length) return roadDriving(factors);
  const answer = await askRoads(context, (roads) => roads.drives(asked.from.map(centerOf), asked.to.map(centerOf)));
  if (!answer) return roadDriving(factors);
  asked.from.forEach((area, row) => {
    const own = factors.get(area) ?? new Map<string, number>();
    asked.to.forEach((other, column) => {
      const minutes = answer[row]?.[column];
      // Without a road the estimate stays, and the service is not asked again.
      if (area !== other) own.set(other, minutes === undefined ? 1 : factorOf(minutes, area, other));
    });
    factors.set(area, own);
  });
  await Promise.all(asked.from.map((area) => writeRoadFactors(store, toRecord(area, factors), now)));
  return roadDriving(factors);
}

/** The areas between which a factor is missing, as many as one call may ask for. */
function missingOf(factors: RoadFactors, origins: readonly string[], others: readonly string[]) {
  const isMissing = (one: string, other: string) => one !== other && factorBetween(factors, one, other) === undefined;
  const from = origins.filter((area) => others.some((other) => isMissing(area, other))).slice(0, MAX_FROM);
  const to = others.filter((other) => from.some((area) => isMissing(area, other)));
  return { from, to: to.slice(0, Math.min(MAX_TO, Math.floor(MAX_DRIVES / Math.max(1, from.length)))) };
}

const toRecord = (area: string, factors: RoadFactors) => ({
  Area: area,
  Factors: [...(factors.get(area) ?? [])].map(([To, Factor]) => ({ To, Factor })),
});
