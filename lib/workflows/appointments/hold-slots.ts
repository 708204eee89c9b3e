import type { AppointmentSlot } from '../../entities/appointments.ts';
import type { ListedHold } from '../../entities/service-agents.ts';
import { refuseOutside } from '../../domain/scheduling/booking-period.ts';
import { arrivalWindowAround } from '../../domain/scheduling/arrival-windows.ts';
import type { Slot } from '../../domain/scheduling/slots.ts';
import { MAX_HOLDS, MAX_HOLD_MINUTES, type SlotHold, type SlotSearchInput } from '../../resources/appointments.ts';
import { Failure, invalid } from '../../shared/failure.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { formatMoment, MINUTE, SECOND, toFriendly, toUtc } from '../../shared/time/time.ts';
import { type CalendarDays, holdTimeChanges, listCalendarDays } from '../../store/calendars.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { freePlaces, freedPlaceChange, holdPlaceChange, listHolds } from '../../store/holds.ts';
import { bookingPeriodOf } from '../booking/reserve.ts';
import type { WriteContext } from '../context.ts';
import { CANDIDATES, type HeldSlot, chooseSlots } from './choose-slots.ts';
import { findOpenings } from './find-openings.ts';
import { type PreparedSearch, findRequestedSlots, prepareSearch } from './search-slots.ts';
import { parseStart, parseWindow } from '../booking/place.ts';

interface HeldSlots {
  /** The held slots, with their holds in the same order. */
  readonly slots: readonly AppointmentSlot[];
  readonly holds: readonly SlotHold[];
  readonly message: string;
  readonly changes: readonly Change[];
}

/** Ends the holds in `Release` and holds as many slots of the search as `Hold` asks for. Writes nothing. */
export async function holdSlots(request: SlotSearchInput, context: WriteContext): Promise<HeldSlots> {
  const { store, caller, now } = context;
  const listed = await listHolds(store, caller.keyId);
  const released = listed.filter(
    ({ Handle, Until }) => Until > now.getTime() && (request.Release?.includes(Handle) ?? false),
  );
  if (!request.Hold) return { slots: [], holds: [], message: '', changes: await releaseChanges(context, released) };

  const places = freePlaces(
    listed.filter((hold) => !released.includes(hold)),
    now,
  );
  if (places.length < request.Hold) throw tooManyHolds(listed, now);
  const search = await prepareSearch(request, context);
  const handles = new Set(released.map(({ Handle }) => Handle));
  const found = await findCandidates(request, context, search, handles);
  const { holds, days } = await chooseSlots(context, search, {
    candidates: found.slots,
    count: request.Hold,
    places,
    until: Math.floor(now.getTime() / SECOND) * SECOND + (request.HoldMinutes ?? MAX_HOLD_MINUTES) * MINUTE,
    released: handles,
  });
  const missing =
    holds.length && holds.length < request.Hold ? [`Only ${holds.length} of ${request.Hold} slots are held.`] : [];
  const zone = search.organization.Timezone;
  return {
    slots: search.toResources(holds.map(({ slot }) => slot)),
    holds: holds.map(({ hold }) => ({
      Handle: hold.handle,
      DateTime: formatMoment(hold.start, zone, caller.dateStyle),
      ServiceAgentId: hold.agentId,
      Until: toUtc(hold.until),
    })),
    message: holds.length
      ? missing.join(' ')
      : found.message || 'The slots were taken during the search. Search again.',
    changes: await heldChanges(context, search, { holds, days, listed, released }),
  };
}

/** The earliest end tells when to try again, although bookings and releases may end a hold sooner. */
function tooManyHolds(listed: readonly ListedHold[], now: Date): Failure {
  const current = listed.filter(({ Until }) => Until > now.getTime());
  const first = Math.min(...current.map(({ Until }) => Until));
  return new Failure(
    'too_many_holds',
    `This key holds ${current.length} slots, and may hold ${MAX_HOLDS}. Book or release one; the next hold ends at ` +
      `${toUtc(first)}.`,
    { headers: { 'Retry-After': '2' } },
  );
}

/** The slots to choose from: at the start of Slots[0], else those of the search. */
async function findCandidates(
  request: SlotSearchInput,
  context: WriteContext,
  search: PreparedSearch,
  released: ReadonlySet<string>,
): Promise<{ readonly slots: readonly Slot[]; readonly message: string }> {
  const { organization, agents, agentId, former, minutes, closed } = search;
  const text = request.Slots?.[0]?.DateTime;
  if (!text || closed) return findRequestedSlots(request, context, search, released);
  const from = parseStart(text, organization.Timezone);
  const requested = parseWindow(request.Slots?.[0] ?? {}, organization.Timezone);
  const outside = describeOutside(context, search, from);
  if (outside && !requested) return { slots: [], message: outside };
  const visit = { minutes, agentId: agentId || undefined, additionalAgentIds: [], released, appointmentId: former?.Id };
  const exact = outside ? NO_OPENINGS : await findOpenings(context, search, { ...visit, from, fixed: true });
  const { openings, reason } =
    requested && !exact.openings.length
      ? await findOpenings(context, search, {
          ...visit,
          from: Math.max(requested.start, context.now.getTime()),
          fixed: false,
          within: requested,
          enough: CANDIDATES,
        })
      : exact;
  const around = requested === undefined ? arrivalWindowAround(search, from) : undefined;
  const slots = openings.map((opening) => ({
    ...opening,
    arrival: requested ?? around,
    agentName: agents.get(opening.agentId)?.Name ?? '',
    driveMinutes: 0,
    driveWarning: false,
  }));
  return { slots, message: slots.length ? '' : reason.message };
}

const NO_OPENINGS: Awaited<ReturnType<typeof findOpenings>> = {
  openings: [],
  reason: { code: 'no_opening', message: '' },
};

/** Why a start cannot be booked; `undefined` if it can. */
function describeOutside(context: WriteContext, search: PreparedSearch, from: number): string | undefined {
  const { Timezone } = search.organization;
  if (from < context.now.getTime()) return `The start, ${toFriendly(from, Timezone)}, is in the past.`;
  const period = bookingPeriodOf(context, search);
  return period && refuseOutside(period, from, Timezone)?.message;
}

interface Holding {
  readonly holds: readonly HeldSlot[];
  readonly days: CalendarDays;
  readonly listed: readonly ListedHold[];
  readonly released: readonly ListedHold[];
}

/** The new holds in the calendar and in the key's list, without the released ones. */
async function heldChanges(
  context: WriteContext,
  { organization }: PreparedSearch,
  { holds, days, listed, released }: Holding,
): Promise<Change[]> {
  const { store, now } = context;
  const isOwn = ({ Organization }: ListedHold) => Organization === organization.Id;
  const own = released.filter(isOwn);
  const withReleased = new Map([...(await listCalendarDays(store, organization.Id, own.map(toSpan))), ...days]);
  const times = holdTimeChanges(store, organization.Id, withReleased, {
    holds: holds.map(({ hold }) => hold),
    before: own.map(toSpan),
    released: new Set(own.map(({ Handle }) => Handle)),
    now,
  });
  const places = holds.map(({ hold }) =>
    holdPlaceChange(
      store,
      organization.Id,
      hold,
      listed.find(({ Place }) => Place === hold.place),
    ),
  );
  const taken = new Set(holds.map(({ hold }) => hold.place));
  const freed = own
    .filter(({ Place }) => !taken.has(Place))
    .map((hold) => freedPlaceChange(store, toPlace(context, hold)));
  const others = await releaseChanges(
    context,
    released.filter((hold) => !isOwn(hold)),
  );
  return fitting([...times, ...places, ...freed, ...others]);
}

/** The changes that end holds of the key in any of its organizations. */
async function releaseChanges(context: WriteContext, released: readonly ListedHold[]): Promise<Change[]> {
  const { store, now } = context;
  const times = await Promise.all(
    [...Map.groupBy(released, ({ Organization }) => Organization)].map(async ([organizationId, holds]) => {
      const before = holds.map(toSpan);
      const handles = new Set(holds.map(({ Handle }) => Handle));
      const days = await listCalendarDays(store, organizationId, before);
      return holdTimeChanges(store, organizationId, days, { holds: [], before, released: handles, now });
    }),
  );
  return fitting([...times.flat(), ...released.map((hold) => freedPlaceChange(store, toPlace(context, hold)))]);
}

const toSpan = ({ Agent: agentId, Start: start, End: end }: ListedHold) => ({ agentId, start, end });

const toPlace = ({ caller }: WriteContext, { Handle: handle, Place: place }: ListedHold) => ({
  handle,
  place,
  key: caller.keyId,
});

/** Holds that span many days may exceed one transaction. */
function fitting(changes: Change[]): Change[] {
  if (changes.length <= MAX_REQUEST_CHANGES) return changes;
  throw invalid({
    field: 'Hold',
    code: 'limit',
    message: `and Release change ${changes.length} days of agents and places; one call changes ${MAX_REQUEST_CHANGES}`,
  });
}
