import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { closedReason } from '../organizations/require-open.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import { NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { BookingView } from '../../pages/booking.ts';
import { Failure, conflict } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { normalizePostalCode } from '../../shared/text/text.ts';
import { DAY, HOUR } from '../../shared/time/time.ts';
import { findAppointment } from '../../store/appointments.ts';
import { clientBookingChange, findClientBooking } from '../../store/client-calls.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { findPageLinks } from '../../store/links.ts';
import { findOrganization, findPostalOwner } from '../../store/organizations/organizations.ts';
import { listDisplayedServices } from '../../store/pricebook/services.ts';
import { releaseChanges } from '../../store/visit-releases.ts';
import { type Booking, loadBookingContext } from '../appointments/booking-context.ts';
import { type Lead, quickbookAppointment } from '../appointments/quickbook-appointment.ts';
import { resolveBookingInput } from '../appointments/resolve-booking-input.ts';
import { findFreeSlots } from '../appointments/search-slots.ts';
import type { WriteContext } from '../context.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { MAX_DAYS_AHEAD, beginNear, earliestStart, nearestTo } from './free-times.ts';
import { type LoadedPage, toClientCompany } from './load-company.ts';
import { findClient, findStranger } from './booking-person.ts';
import { findFullDays } from './stranger-days.ts';

/** What a client has chosen so far. */
export interface BookingChoice {
  readonly serviceId: number | undefined;
  readonly zip: string;
}

/** Who books: a client on the page of its own link, or a stranger on that of an organization. */
export interface Booker extends ClientContext {
  readonly organization: OrganizationRecord;
  /** `undefined` for a stranger. */
  readonly client: ContactRecord | undefined;
}

/** Who books by a link, as it is now: a revoked link is dead at once. */
async function findBooker(context: ClientContext): Promise<Booker | undefined> {
  const { table, target } = context;
  const isOwn = target.page === 'rebook';
  const scope = { accountId: target.account, organizationId: null };
  const client = isOwn ? await findContact(table, scope, target.id) : undefined;
  const organizationId = isOwn ? client?.OrganizationId : target.id;
  const organization = organizationId ? await findOrganization(table, target.account, organizationId) : undefined;
  const linked = isOwn ? client : organization;
  if (!organization || (linked?.LinksRevoked ?? 0) !== target.generation) return undefined;
  return { ...context, organization, client };
}

/** The context in which the workflows of operations run for a client of one organization. */
function organizationContext(booker: Booker): WriteContext & { readonly sourceIp: string } {
  const writing = toWriteContext(booker);
  return { ...writing, caller: { ...writing.caller, organizationId: booker.organization.Id } };
}

const MAX_OFFERED = 100;

/** The services that clients may book themselves; of two with one name the organization's own. */
async function listOffered(table: TableReader, accountId: string, organizationId: number): Promise<ServiceRecord[]> {
  const services = await listDisplayedServices(table, { accountId, organizationId });
  const own = new Set(services.filter(({ OrganizationId }) => OrganizationId !== null).map(({ Name }) => Name));
  const isHidden = ({ OrganizationId, Name }: ServiceRecord) => OrganizationId === null && own.has(Name);
  return services.filter((service) => service.Active && service.SelfSelect && !isHidden(service)).slice(0, MAX_OFFERED);
}

interface LoadedBooking extends LoadedPage<BookingView> {
  readonly booker: Booker;
  readonly origins: readonly string[];
}

/** The booking page of a link with what a client may choose; `undefined` where the link was revoked. */
export async function loadBookingPage(
  context: ClientContext,
  { serviceId, zip }: BookingChoice,
): Promise<LoadedBooking | undefined> {
  const { table, target } = context;
  const finding = findBooker(context);
  const organizationId = target.page === 'booking' ? target.id : (await finding)?.organization.Id;
  if (organizationId === undefined) return undefined;
  const [booker, offered] = await Promise.all([finding, listOffered(table, target.account, organizationId)]);
  if (!booker) return undefined;
  const { organization, client } = booker;
  const services = offered.map((service) => pick(service, 'Id', 'Name', 'Description'));
  const company = toClientCompany(target.account, organization);
  return {
    ...company,
    booker,
    view: {
      company: company.company,
      zone: company.zone,
      isOpen: closedReason(organization) === undefined && (client !== undefined || organization.StrangerShare > 0),
      services,
      service: services.find(({ Id }) => Id === serviceId),
      zip: client?.Zip || zip,
      isClient: client !== undefined,
      hasZip: Boolean(client?.Zip),
    },
    ...NO_CONTACT_LINKS,
    origins: organization.BookingOrigins,
  };
}

/**
 * Free starts of a service at a postal code from a moment on, each once, in order: those that slotsearch finds. Where
 * the season of the service is ahead, from its first day on.
 */
export async function findFreeTimes(
  booker: Booker,
  { service, zip, from }: { readonly service: Pick<ServiceRecord, 'Id'>; readonly zip: string; readonly from: number },
): Promise<number[]> {
  const reading = organizationContext(booker);
  const now = booker.now.getTime();
  if (from > now + MAX_DAYS_AHEAD * DAY) return [];
  const organizationId = booker.organization.Id;
  const reference = { ServiceId: service.Id };
  const selection = { organizationId, service: reference };
  const contact = booker.client ?? unknownClient(organizationId, zip);
  const loading = loadBookingContext(reading, selection);
  const { table, organization, target } = booker;
  const [loaded, fullDays] = await Promise.all([
    loading,
    booker.client ? [] : findFullDays(table, organization, { account: target.account, from, loading }),
  ]);
  const Holidays = [...loaded.organization.Holidays, ...fullDays];
  const booking = { contact, ...loaded, organization: { ...loaded.organization, Holidays } };
  const { work } = resolveBookingInput('slotsearch', { request: reference });
  const earliest = earliestStart(booking, now);
  const { found } = await findFreeSlots(booking, reading, { work, from: Math.max(from, earliest) });
  return [...new Set(found.slots.map(({ start }) => start))];
}

const unknownClient = (OrganizationId: number, Zip: string): ContactRecord =>
  contactEntity.blank({ Id: 0, Hash: '', OrganizationId, LocationID: '', Created: 0, Zip });

/** The free starts next to one that is taken, in order. */
export async function findNearestTimes(
  booker: Booker,
  { start, ...search }: { readonly service: Pick<ServiceRecord, 'Id'>; readonly zip: string; readonly start: number },
  count: number,
): Promise<number[]> {
  return nearestTo(await findFreeTimes(booker, { ...search, from: beginNear(start) }), start, count);
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

/** The visit that a form has booked by the link; `undefined` for a form that is new. */
export async function findBooked(context: ClientContext, form: string): Promise<AppointmentRecord | undefined> {
  const { table, target } = context;
  const id = await findClientBooking(table, target.account, form);
  if (id === undefined) return undefined;
  const visit = await findAppointment(table, { accountId: target.account, organizationId: null }, id);
  const linked = target.page === 'rebook' ? visit?.ContactId : visit?.OrganizationId;
  return linked === target.id ? visit : undefined;
}

/**
 * Books a visit by the rules of quickbook: for the client of the link, or for the contact that contacts/addupdate would
 * find, or a new one. A visit of a stranger waits to be confirmed, if its organization wants that. Throws conflict if
 * the time is taken or the person has enough visits ahead, and invalid with fields of the contact.
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
  if (input.start > now.getTime() + MAX_DAYS_AHEAD * DAY) throw conflict('slot_taken', 'The time is too far ahead.');
  const writing = organizationContext(booker);
  const { account } = context.target;
  const waits = !booker.client && booker.organization.ConfirmHours > 0;
  const request = {
    Service: input.service.Name,
    ScheduledStart: new Date(input.start).toISOString(),
    CustomerNotes: input.note,
    Tentative: waits,
  };
  const HeldUntil = waits ? Math.min(now.getTime() + booker.organization.ConfirmHours * HOUR, input.start) : null;
  const person: { stored?: (visit: AppointmentRecord) => readonly Change[] } = {};
  const findPerson = async (): Promise<Lead> => {
    const { storedWith, details, ...lead } = booker.client
      ? await findClient(booker.client, writing)
      : await findStranger(input.contact, { ...writing, organization: booker.organization, start: input.start });
    person.stored = storedWith;
    return { ...lead, details: { ...details, HeldUntil } };
  };
  try {
    const { appointment, changes } = await quickbookAppointment(request, writing, findPerson);
    const stored = [
      clientBookingChange(account, input.form, appointment.Id, now),
      ...releaseChanges(account, appointment),
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

/** The name of the organization that owns a postal code; `''` without one. */
export async function findCodeOwner({ table, target }: ClientContext, zip: string): Promise<string> {
  const owner = await findPostalOwner(table, target.account, normalizePostalCode(zip));
  const organization = owner?.OrganizationId
    ? await findOrganization(table, target.account, owner.OrganizationId)
    : undefined;
  return organization?.PublicName ?? '';
}

/** The page on which the client of a booked visit follows it; a stranger cannot confirm it there. */
export async function visitLink(
  { table, target, now }: ClientContext,
  { Id, LinksRevoked = 0 }: AppointmentRecord,
): Promise<string> {
  const link = await findPageLinks(table, target, now);
  return link(target.page === 'rebook' ? 'visit' : 'booked', Id, LinksRevoked);
}
