import { Status, isOver } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { findAppointment, listAppointments } from '../../store/appointments.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { pageVisitIds } from '../../store/visits-booked-on-pages.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { releaseTime } from '../booking/release.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

/** Bookings by strangers on pages, selected by the network they came from. */

export interface BookingWave {
  /** Booked since then. */
  readonly since: Date;
  /** Keyed hashes, as stored in the visits; without any, all networks. */
  readonly networks: readonly string[];
  readonly now: Date;
}

/** Pages of the visits of a wave. Those of erased persons have no network, so they belong to none. */
async function* visitsOf(
  store: StoreReader,
  { since, networks, now: through }: BookingWave,
): AsyncGenerator<AppointmentRecord[]> {
  const isChosen = ({ Network }: AppointmentRecord) =>
    Network !== '' && (!networks.length || networks.includes(Network));
  for await (const ids of pageVisitIds(store, { since, through }))
    yield (await listAppointments(store, ids)).filter(isChosen);
}

export interface NetworkBookings {
  readonly Network: string;
  readonly Visits: number;
  readonly Contacts: number;
  /** Visits that wait to be confirmed. */
  readonly Waiting: number;
  readonly Canceled: number;
  /** When the first and the last visit were booked. */
  readonly First: string;
  readonly Last: string;
}

/** The visits of each network, those with most first. */
export async function countByNetwork(store: StoreReader, wave: BookingWave): Promise<NetworkBookings[]> {
  const found = new Map<string, Omit<NetworkBookings, 'Contacts'> & { readonly contacts: Set<number> }>();
  for await (const visits of visitsOf(store, wave))
    for (const { Network, Status: status, ContactId, Created } of visits) {
      const at = new Date(Created).toISOString();
      const before = found.get(Network);
      found.set(Network, {
        Network,
        Visits: (before?.Visits ?? 0) + 1,
        Waiting: (before?.Waiting ?? 0) + (status === Status.Tentative ? 1 : 0),
        Canceled: (before?.Canceled ?? 0) + (status === Status.Canceled ? 1 : 0),
        First: before && before.First < at ? before.First : at,
        Last: before && before.Last > at ? before.Last : at,
        contacts: (before?.contacts ?? new Set()).add(ContactId),
      });
    }
  return [...found.values()]
    .map(({ contacts, Network, Visits, ...counts }) => ({ Network, Visits, Contacts: contacts.size, ...counts }))
    .sort((one, other) => other.Visits - one.Visits || one.Network.localeCompare(other.Network));
}

interface UndoneBookings {
  readonly Canceled: number;
  /** Canceled already. */
  readonly Already: number;
  /** Started or finished. */
  readonly Kept: number;
}

/** Cancellations at once. */
const CONCURRENCY = 8;

/**
 * Cancels the visits of a wave, each in a transaction of its own with its event. Safe to repeat, also after a kill: a
 * canceled visit does not change. Visits that began stay.
 */
export async function undoBookings(store: StoreWriter, wave: BookingWave): Promise<UndoneBookings> {
  const counts = { Canceled: 0, Already: 0, Kept: 0 };
  for await (const visits of visitsOf(store, wave))
    await mapWithConcurrency(visits, CONCURRENCY, async ({ Id }) => {
      counts[await retryUnavailable(() => undoBooking(store, wave.now, Id))]++;
    });
  return counts;
}

const UNDONE_BY = 'Office';

async function undoBooking(store: StoreWriter, now: Date, id: number): Promise<keyof UndoneBookings> {
  const caller = accountCaller(store.account, { keyName: UNDONE_BY });
  const before = await findAppointment(store, id);
  if (!before || before.Status === Status.Canceled) return 'Already';
  if (isOver(before) || before.Status === Status.Started) return 'Kept';
  const after = {
    ...before,
    Status: Status.Canceled,
    HeldUntil: null,
    CancelReasonId: null,
    CancelReason: 'Booking undone',
    CanceledBy: UNDONE_BY,
    CanceledAt: now.getTime(),
  };
  const { changes } = await releaseTime({ store, caller, now }, { before, after });
  await store.table.commit(changes);
  return 'Canceled';
}
