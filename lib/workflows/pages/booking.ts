import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { arrivalWindowAt, arrivalWindowsOf } from '../../domain/scheduling/arrival-windows.ts';
import { closedReason } from '../organizations/require-open.ts';
import { isPostalCode } from '../../domain/postal-ownership.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import { NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { BookingView } from '../../pages/booking-page.ts';
import { Failure, conflict } from '../../shared/failure.ts';
import { normalizePostalCode } from '../../shared/text/text.ts';
import { DAY, HOUR, toUtc } from '../../shared/time/time.ts';
import { findAppointment } from '../../store/appointments.ts';
import { clientBookingChange, findClientBooking } from '../../store/client-calls.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findPageLinks } from '../../store/links.ts';
import { findOrganization, findPostalOwner } from '../../store/organizations/organizations.ts';
import { releaseChanges } from '../../store/visit-releases.ts';
import type { Booking } from '../booking/types.ts';
import { type Lead, quickbookAppointment } from '../appointments/quickbook-appointment.ts';
import { type Booker, findBooker, organizationContext } from './booker.ts';
import { type ChosenTime, contactOf } from './booking-times.ts';
import { findClient, findStranger } from './booking-person.ts';
import type { ClientContext } from './client.ts';
import { MAX_DAYS_AHEAD } from './free-times.ts';
import { type LoadedPage, toClientCompany } from './load-company.ts';
import { listOffered, loadPriceLists, toOffered } from './offered-services.ts';

/** A client's choices so far. */
export interface BookingChoice {
  readonly serviceId: number | undefined;
  readonly zip: string;
}

interface LoadedBooking extends LoadedPage<BookingView> {
  readonly booker: Booker;
  /** The chosen service; `undefined` if no offered one is chosen. */
  readonly service: ServiceRecord | undefined;
  readonly origins: readonly string[];
}

/** The booking page of a link with the client's options; `undefined` if the link was revoked. */
export async function loadBookingPage(
  context: ClientContext,
  { serviceId, zip }: BookingChoice,
): Promise<LoadedBooking | undefined> {
  const { store, target } = context;
  const finding = findBooker(context);
  const organizationId = target.page === 'booking' ? target.id : (await finding)?.organization.Id;
  if (organizationId === undefined) return undefined;
  const [booker, offered, lists] = await Promise.all([
    finding,
    listOffered(store, organizationId),
    loadPriceLists(store),
  ]);
  if (!booker) return undefined;
  const { organization, client } = booker;
  const [contact, writing] = [contactOf(booker, zip), organizationContext(booker)];
  const services = await Promise.all(
    offered.map((service) => toOffered(writing, { ...lists, organization }, { service, contact })),
  );
  const company = toClientCompany(target.account, organization);
  return {
    ...company,
    booker,
    service: offered.find(({ Id }) => Id === serviceId),
    view: {
      company: company.company,
      zone: company.zone,
      isOpen: closedReason(organization) === undefined && (client !== undefined || organization.StrangerShare > 0),
      services,
      service: services.find(({ Id }) => Id === serviceId),
      zip: client?.Zip || zip,
      isZip: Boolean(client?.Zip) || isPostalCode(zip, organization.Country),
      isClient: client !== undefined,
      hasZip: Boolean(client?.Zip),
    },
    ...NO_CONTACT_LINKS,
    origins: organization.BookingOrigins,
  };
}

/** A booking form as a client sent it. */
export interface BookingForm {
  /** Random token of the form: sent again, it books nothing more. */
  readonly form: string;
  readonly service: Pick<ServiceRecord, 'Name' | 'ExactTimes'>;
  readonly time: ChosenTime;
  readonly contact: ContactInput;
  readonly note: string;
}

/** The visit that a form has booked by the link; `undefined` for a new form. */
export async function findBooked(context: ClientContext, form: string): Promise<AppointmentRecord | undefined> {
  const { store, target } = context;
  const id = await findClientBooking(store, form);
  if (id === undefined) return undefined;
  const visit = await findAppointment(store, id);
  const linked = target.page === 'rebook' ? visit?.ContactId : visit?.OrganizationId;
  return linked === target.id ? visit : undefined;
}

/**
 * Books a visit by the rules of quickbook: for the client of the link, or for the contact that contacts/addupdate would
 * find, or a new one. A stranger's visit waits to be confirmed, if its organization wants that. Throws conflict if the
 * time is taken or the person has enough future visits, and invalid with fields of the contact.
 */
export async function bookVisit(context: ClientContext, input: BookingForm): Promise<Booking> {
  const { now } = context;
  const findRepeated = async (): Promise<Booking | undefined> => {
    const appointment = await findBooked(context, input.form);
    return appointment && { appointment, changes: [] };
  };
  const [repeated, booker] = await Promise.all([findRepeated(), findBooker(context)]);
  if (repeated) return repeated;
  if (!booker) throw conflict('wrong_state', 'The link was revoked.');
  const { start, agentId } = input.time;
  if (start > now.getTime() + MAX_DAYS_AHEAD * DAY) throw conflict('slot_taken', 'The time is too far ahead.');
  const writing = organizationContext(booker);
  const waits = !booker.client && booker.organization.ConfirmHours > 0;
  const request = {
    Service: input.service.Name,
    ...requestedTime({ ...booker, service: input.service }, start),
    CustomerNotes: input.note,
    Tentative: waits,
  };
  const HeldUntil = waits ? Math.min(now.getTime() + booker.organization.ConfirmHours * HOUR, start) : null;
  const person: { stored?: (visit: AppointmentRecord) => readonly Change[] } = {};
  const findPerson = async (): Promise<Lead> => {
    const { storedWith, details, ...lead } = booker.client
      ? await findClient(booker.client, writing)
      : await findStranger(input.contact, { ...writing, organization: booker.organization, start });
    person.stored = storedWith;
    return {
      ...lead,
      agentId: booker.organization.ShowTechnician ? agentId : undefined,
      details: { ...details, HeldUntil },
    };
  };
  try {
    const { appointment, changes } = await quickbookAppointment(request, writing, findPerson);
    const stored = [
      clientBookingChange(context.store, input.form, appointment.Id, now),
      ...releaseChanges(context.store, appointment),
      ...(person.stored?.(appointment) ?? []),
    ];
    return { appointment, changes: [...changes, ...stored] };
  } catch (error) {
    // The same form, sent twice at once, may have taken the time.
    const own = error instanceof Failure && error.status === 409 ? await findRepeated() : undefined;
    if (own) return own;
    throw error;
  }
}

/** The time that a client chose, in the form of quickbook. Throws conflict if it is no longer offered. */
function requestedTime(offering: Booker & Pick<BookingForm, 'service'>, start: number) {
  const window = arrivalWindowAt(offering, start);
  if (window && start >= offering.now.getTime())
    return { ArrivalFrom: toUtc(window.start), ArrivalThrough: toUtc(window.end) };
  if (arrivalWindowsOf(offering).length) throw conflict('slot_taken', 'The arrival window is not offered any more.');
  return { ScheduledStart: new Date(start).toISOString() };
}

/** The name of another open organization that owns a postal code, or `''`. */
export async function findOtherOwner({ store, organization }: Booker, zip: string): Promise<string> {
  const owner = await findPostalOwner(store, normalizePostalCode(zip));
  const id = owner?.OrganizationId;
  const other = id && id !== organization.Id ? await findOrganization(store, id) : undefined;
  return other && closedReason(other) === undefined ? other.PublicName : '';
}

/** The page on which the client of a booked visit follows it; a stranger cannot confirm it there. */
export async function visitLink(
  { store, target, now }: ClientContext,
  { Id, LinksRevoked = 0 }: AppointmentRecord,
): Promise<string> {
  const link = await findPageLinks(store, target, now);
  return link(target.page === 'rebook' ? 'visit' : 'booked', Id, LinksRevoked);
}
