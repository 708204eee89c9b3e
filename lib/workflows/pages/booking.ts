import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { closedReason } from '../organizations/require-open.ts';
import { firstDate } from '../../domain/pricebook/calendar-dates.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import type { BookingView } from '../../pages/booking.ts';
import { Failure, conflict } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { normalizePostalCode } from '../../shared/text/text.ts';
import { DAY, startOfDate } from '../../shared/time/time.ts';
import { findAppointment } from '../../store/appointments.ts';
import { clientBookingChange, findClientBooking } from '../../store/client-calls.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findPageLinks } from '../../store/links.ts';
import { findOrganization, findPostalOwner } from '../../store/organizations/organizations.ts';
import { listDisplayedServices } from '../../store/pricebook/services.ts';
import { type Booking, loadBookingContext } from '../appointments/booking-context.ts';
import { type Lead, quickbookAppointment } from '../appointments/quickbook-appointment.ts';
import { resolveBookingInput } from '../appointments/resolve-booking-input.ts';
import { findFreeSlots } from '../appointments/search-slots.ts';
import type { WriteContext } from '../context.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { type LoadedPage, toClientCompany } from './load-company.ts';
import { findStranger } from './stranger.ts';

/** What a client has chosen so far. */
export interface BookingChoice {
  readonly serviceId: number | undefined;
  readonly zip: string;
}

/** The organization of a booking link, as it is now: a revoked link is dead at once. */
async function findLinked({ table, target }: ClientContext): Promise<OrganizationRecord | undefined> {
  const organization = await findOrganization(table, target.account, target.id);
  return organization && (organization.LinksRevoked ?? 0) === target.generation ? organization : undefined;
}

/** The context in which the workflows of operations run for a client of one organization. */
const organizationContext = (context: ClientContext): WriteContext & { readonly sourceIp: string } => {
  const writing = toWriteContext(context);
  return { ...writing, caller: { ...writing.caller, organizationId: context.target.id } };
};

const MAX_OFFERED = 100;

/** The services that clients may book themselves; of two with one name the organization's own. */
async function listOffered(context: ClientContext): Promise<ServiceRecord[]> {
  const { account: accountId, id: organizationId } = context.target;
  const services = await listDisplayedServices(context.table, { accountId, organizationId });
  const own = new Set(services.filter(({ OrganizationId }) => OrganizationId !== null).map(({ Name }) => Name));
  const isHidden = ({ OrganizationId, Name }: ServiceRecord) => OrganizationId === null && own.has(Name);
  return services.filter((service) => service.Active && service.SelfSelect && !isHidden(service)).slice(0, MAX_OFFERED);
}

/** The booking page of an organization with what a client may choose; `undefined` where its link was revoked. */
export async function loadBookingPage(
  context: ClientContext,
  { serviceId, zip }: BookingChoice,
): Promise<(LoadedPage<BookingView> & { readonly origins: readonly string[] }) | undefined> {
  const [organization, offered] = await Promise.all([findLinked(context), listOffered(context)]);
  if (!organization) return undefined;
  const services = offered.map((service) => pick(service, 'Id', 'Name', 'Description'));
  const company = toClientCompany(context.target.account, organization);
  return {
    ...company,
    view: {
      company: company.company,
      zone: company.zone,
      isOpen: closedReason(organization) === undefined,
      services,
      service: services.find(({ Id }) => Id === serviceId),
      zip,
    },
    preferencesLink: '',
    origins: organization.BookingOrigins,
  };
}

/** Nobody searches or books further ahead. */
const MAX_DAYS_AHEAD = 400;

/**
 * Free starts of a service at a postal code from a moment on, each once, in order: those that slotsearch finds. Where
 * the season of the service is ahead, from its first day on.
 */
export async function findFreeTimes(
  context: ClientContext,
  { service, zip, from }: { readonly service: Pick<ServiceRecord, 'Id'>; readonly zip: string; readonly from: number },
): Promise<number[]> {
  const reading = organizationContext(context);
  const now = context.now.getTime();
  if (from > now + MAX_DAYS_AHEAD * DAY) return [];
  const organizationId = context.target.id;
  const reference = { ServiceId: service.Id };
  const selection = { organizationId, service: reference };
  const booking = { contact: unknownClient(organizationId, zip), ...(await loadBookingContext(reading, selection)) };
  const { work } = resolveBookingInput('slotsearch', { request: reference });
  const season = firstDate(booking.service.SeasonStart);
  const earliest = season === null ? now : Math.max(now, startOfDate(season, booking.organization.Timezone));
  const { found } = await findFreeSlots(booking, reading, { work, from: Math.max(from, earliest) });
  return [...new Set(found.slots.map(({ start }) => start))];
}

const unknownClient = (OrganizationId: number, Zip: string): ContactRecord =>
  contactEntity.blank({ Id: 0, Hash: '', OrganizationId, LocationID: '', Created: 0, Zip });

/** The free starts next to one that is taken, in order. */
export async function findNearestTimes(
  context: ClientContext,
  { start, ...search }: { readonly service: Pick<ServiceRecord, 'Id'>; readonly zip: string; readonly start: number },
  count: number,
): Promise<number[]> {
  const times = await findFreeTimes(context, { ...search, from: start - DAY });
  const distance = (time: number): number => Math.abs(time - start);
  return times
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, count)
    .sort((one, other) => one - other);
}

/** A booking form as a client sent it. */
export interface BookingForm {
  /** Random mark of the form: sent again, it books nothing more. */
  readonly form: string;
  readonly service: Pick<ServiceRecord, 'Name'>;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly contact: ContactInput;
  readonly note: string;
}

/** The visit that a form has booked in the organization of the link; `undefined` for a form that is new. */
export async function findBooked(context: ClientContext, form: string): Promise<AppointmentRecord | undefined> {
  const { table, target } = context;
  const id = await findClientBooking(table, target.account, form);
  if (id === undefined) return undefined;
  return findAppointment(table, { accountId: target.account, organizationId: target.id }, id);
}

/**
 * Books a visit by the rules of quickbook, for the contact that contacts/addupdate would find, or a new one. Throws
 * conflict where the time is taken or the person has enough visits ahead, and invalid with fields of the contact.
 */
export async function bookVisit(context: ClientContext, input: BookingForm): Promise<Booking> {
  const { now } = context;
  const writing = organizationContext(context);
  const findRepeated = async (): Promise<Booking | undefined> => {
    const appointment = await findBooked(context, input.form);
    return appointment && { appointment, changes: [] };
  };
  const [repeated, linked] = await Promise.all([findRepeated(), findLinked(context)]);
  if (repeated) return repeated;
  if (!linked) throw conflict('wrong_state', 'The link was revoked.');
  if (input.start > now.getTime() + MAX_DAYS_AHEAD * DAY) throw conflict('slot_taken', 'The time is too far ahead.');
  const request = {
    Service: input.service.Name,
    ScheduledStart: new Date(input.start).toISOString(),
    CustomerNotes: input.note,
  };
  const person: { stored?: (visit: AppointmentRecord) => readonly Change[] } = {};
  const findPerson = async (): Promise<Lead> => {
    const { storedWith, ...lead } = await findStranger(input.contact, writing);
    person.stored = storedWith;
    return lead;
  };
  try {
    const { appointment, changes } = await quickbookAppointment(request, writing, findPerson);
    const marked = clientBookingChange(writing.caller.accountId, input.form, appointment.Id, now);
    return { appointment, changes: [...changes, marked, ...(person.stored?.(appointment) ?? [])] };
  } catch (error) {
    // The same form, sent twice at once, may have taken the time.
    const own = error instanceof Failure && error.status === 409 ? await findRepeated() : undefined;
    if (own) return own;
    throw error;
  }
}

/** The name of the organization that owns a postal code; `''` without one. */
export async function findCodeOwner({ table, target }: ClientContext, zip: string): Promise<string> {
  const owner = await findPostalOwner(table, target.account, normalizePostalCode(zip));
  const organization = owner?.OrganizationId
    ? await findOrganization(table, target.account, owner.OrganizationId)
    : undefined;
  return organization?.PublicName ?? '';
}

/** The page on which the client of a booked visit follows it. */
export async function visitLink(
  { table, target, now }: ClientContext,
  { Id, LinksRevoked = 0 }: Booking['appointment'],
): Promise<string> {
  const link = await findPageLinks(table, target, now);
  return link('visit', Id, LinksRevoked);
}
