import { findByNames } from '../../domain/contacts/same-person.ts';
import { searchKeys } from '../../domain/contacts/search.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { networkOf } from '../../shared/web/web-addresses.ts';
import { clientDayChange } from '../../store/appointments.ts';
import { emptyAheadChange, findFreePlaces, identity, takenPlaceChange } from '../../store/client-places.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { getHasher } from '../../store/links.ts';
import { pageVisitChange } from '../../store/visits-booked-on-pages.ts';
import type { Lead } from '../appointments/quickbook-appointment.ts';
import { planUpserts } from '../contacts/save-contacts.ts';
import type { WriteContext } from '../context.ts';
import { requireStrangerDay } from './stranger-days.ts';

/**
 * The person for whom a visit is booked. The visitor of a personal link is a client. Everybody else is a stranger,
 * whatever they type, because nobody has proved to be that person: strangers with an existing contact and new ones get
 * the same answer from the same requests.
 */
export interface BookingPerson extends Lead {
  /** The changes stored with the visit. */
  storedWith(visit: AppointmentRecord): readonly Change[];
}

type BookingPersonContext = WriteContext & { readonly sourceIp: string };

/** The client of a link. Throws conflict if it already has as many future visits as the page books. */
export async function findClient(contact: ContactRecord, { store, now }: BookingPersonContext): Promise<BookingPerson> {
  const hash = await getHasher(store);
  const places = await requirePlaces(store, [hash(identity.ofClient(contact.Id))], now);
  return {
    contact,
    changes: [],
    details: { InternalNotes: 'Booked by the client on its own booking page.' },
    storedWith: ({ Id }) => places.map((place) => takenPlaceChange(place, Id, now)),
  };
}

async function requirePlaces(...wanted: Parameters<typeof findFreePlaces>) {
  const places = await findFreePlaces(...wanted);
  if (!places) throw conflict('limit_reached', 'This person has as many visits ahead as the page books.');
  return places;
}

interface StrangerContext extends BookingPersonContext {
  readonly organization: OrganizationRecord;
  readonly start: number;
}

/**
 * The contact that a stranger refers to, as contacts/addupdate would find it, or a new one. An existing contact does
 * not change; the visit is for the given address, and notes how the contact differs. Throws conflict if the e-mail, the
 * phone or the contact already has as many future visits as the page books, or strangers have booked their share of the
 * day.
 */
export async function findStranger(input: ContactInput, context: StrangerContext): Promise<BookingPerson> {
  const { store, now, sourceIp, organization, start } = context;
  const [{ contact, ...lead }, hash, dayLimit] = await Promise.all([
    findGivenContact(input, context, { source: BOOKED_ONLINE }),
    getHasher(store),
    requireStrangerDay(store, organization, start),
  ]);
  const { email, phone } = searchKeys(lead.given);
  const identities = [
    ...(email ? [identity.ofEmail(email)] : []),
    ...(phone ? [identity.ofPhone(phone)] : []),
    identity.ofContact(contact.Id),
  ];
  const places = await requirePlaces(store, identities.map(hash), now);
  return {
    contact,
    changes: lead.changes,
    details: {
      InternalNotes: lead.notes,
      HidesContact: true,
      Network: hash(`network ${networkOf(sourceIp) || 'unknown'}`),
    },
    storedWith: (visit) => [
      ...places.map((place) => takenPlaceChange(place, visit.Id, now)),
      pageVisitChange(store, visit.Id, now),
      clientDayChange(store, visit, visit.Duration, dayLimit),
    ],
  };
}

interface FoundContact {
  readonly contact: ContactRecord;
  /** The contact as it is stored; `undefined` for a new one. */
  readonly known?: ContactRecord;
  readonly changes: readonly Change[];
  /** A contact made only from what was given. */
  readonly given: ContactRecord;
  readonly notes: string;
}

const NOBODY = 0;

interface Given {
  /** A sentence that says where the person gave it. */
  readonly source: string;
  /** Notes of the contact, if it is new. */
  readonly notes?: ContactInput['Notes'];
}

/**
 * The contact that contacts/addupdate would find for what a stranger gave, which does not change, or a new one; both
 * take the same requests.
 */
export async function findGivenContact(
  input: ContactInput,
  context: WriteContext,
  { source, notes }: Given,
): Promise<FoundContact> {
  const alike: ContactRecord[] = [];
  // Planned as a new contact, so that its errors reveal nothing about existing ones.
  const mayBe = (contact: ContactRecord) => {
    alike.push(contact);
    return false;
  };
  const noted = notes === undefined ? input : { ...input, Notes: notes };
  const plan = await planUpserts([{ input: noted, criteria: undefined, distribute: false, mayBe }], context);
  if (plan.kind === 'invalid') throw invalid(...plan.errors);
  const [given] = plan.kind === 'ready' ? plan.records : [];
  if (plan.kind !== 'ready' || !given) throw conflict('ambiguous', 'Several contacts match.');
  const [known] = findByNames(given, alike).toSorted((one, other) => one.Id - other.Id);
  // Reading similar contacts takes one request, so this makes one too if there are none.
  if (!alike.length) await findContacts(context.store, [NOBODY]);
  if (!known) return { contact: given, given, changes: plan.changes, notes: [source, ...plan.remarks].join(' ') };
  const contact = { ...known, ...pick(input, 'Address1', 'Address2', 'City', 'State', 'Zip') } as ContactRecord;
  const changes = [emptyAheadChange(context.store, context.now)];
  return { contact, known, given, changes, notes: describeGiven(source, input, known) };
}

const BOOKED_ONLINE = 'Booked by the client on the booking page.';

/** Describes what a client gave that the contact does not have. */
function describeGiven(source: string, input: ContactInput, known: ContactRecord): string {
  const given = Object.entries(input).filter(
    ([name, value]) => value && value !== known[name as keyof ContactRecord],
  ) as [string, string][];
  const differing = given.map(([name, value]) => `${name}: ${value}`).join('\n');
  return differing ? `${source} The contact is unchanged; the client gave:\n${differing}` : source;
}
