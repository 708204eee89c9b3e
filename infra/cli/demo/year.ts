import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { loadPositions } from '../../../lib/domain/postal/localities.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { listJobs } from '../../../lib/store/calendars.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { listParts } from '../../../lib/store/pricebook/parts.ts';
import { listServices } from '../../../lib/store/pricebook/services.ts';
import { type Office, type Story, playStories, toIso } from './office.ts';
import { type PlannedJob, catalogue, endsOf, plannedDays, planWork } from './plan-work.ts';
import type { Random } from './random.ts';
import { type StoreReader, organizationStore } from '../../../lib/store/store.ts';

interface Company {
  readonly organizations: readonly OrganizationRecord[];
  readonly now: Date;
}

/** What the stories share. */
interface Books {
  /** Ids by name. */
  readonly cancelReasons: ReadonlyMap<string, number>;
  readonly parts: ReadonlyMap<string, number>;
  /** What the office still has to bill, by contact. */
  readonly unbilled: Map<number, object[]>;
}

/** How many visits of a contact the office bills with one invoice. */
const VISITS_AN_INVOICE = 4;

/** Plays a year of work up to `now` and books the next two weeks; the result is the same for the same day. */
export async function playYear(office: Office, store: StoreReader, company: Company): Promise<void> {
  const [jobs, { Matches: reasons }, parts] = await Promise.all([
    planJobs(office, store, company),
    office.call<{ Matches: { Id: number; Reason: string }[] }>('cancelreasons/all', {}),
    listParts(store),
  ]);
  const books: Books = {
    cancelReasons: new Map(reasons.map(({ Id, Reason }) => [Reason, Id])),
    parts: new Map(parts.map(({ Id, Name }) => [Name, Id])),
    unbilled: new Map(),
  };
  const now = company.now.getTime();
  const stories = jobs.flatMap((job) => {
    const isRecent = job.start > now - 60 * DAY && job.start < now;
    return [
      playJob(office, job, books),
      ...(isRecent && job.random.chance(0.12) ? [playCall(office, job)] : []),
      ...(isRecent && job.random.chance(0.08) ? [playTask(office, job)] : []),
    ];
  });
  await playStories(stories, company.now);
  await alignCategories(office);
}

/** The jobs of all organizations, one of which is in progress now. */
export async function planJobs(
  office: Office,
  store: StoreReader,
  { organizations, now }: Company,
  before?: number,
): Promise<PlannedJob[]> {
  const contacts = (await office.listContacts()).sort((one, other) => (one.zip < other.zip ? -1 : 1));
  const positionAt = await loadPositions();
  const plans = organizations.map(async (organization) => {
    const [{ jobs }, agents, services] = await Promise.all([
      listJobs(store, organization.Id, plannedDays(now.getTime()), { now }),
      listAgents(store, organization.Id),
      listServices(organizationStore(store, organization.Id)),
    ]);
    const own = contacts.filter(({ organizationId }) => organizationId === organization.Id);
    // The first organization has drives of half an hour between its clients.
    const ends = organization.Id === organizations[0]?.Id ? endsOf(own, positionAt) : undefined;
    const branch = { now: now.getTime(), organization, agents, services, contacts: own, jobs, ends };
    return planWork(branch, before);
  });
  return withEmergency((await Promise.all(plans)).flat(), now.getTime());
}

/** If nobody is working now, somebody is out for an emergency. */
function withEmergency(jobs: readonly PlannedJob[], now: number): PlannedJob[] {
  const start = Math.floor(now / HOUR) * HOUR - HOUR / 2;
  const isNear = (job: PlannedJob) => Math.abs(job.start - start) < 12 * HOUR;
  const busy = new Set(jobs.filter(isNear).map(({ agentId }) => agentId));
  const last = jobs.findLast(({ agentId, offer, isBilled }) => isBilled && !offer.part && !busy.has(agentId));
  const isGoingOn = jobs.some(({ fate }) => fate === 'started');
  return isGoingOn || !last ? [...jobs] : [...jobs, { ...last, start, minutes: 90, fate: 'started' }];
}

/** A job from the phone call to the payment, up to its current state. */
async function* playJob(office: Office, job: PlannedJob, books: Books): Story {
  const { contact, offer, agentId, start, minutes, window, fate, random } = job;
  const ahead = random.between(2, 12) * DAY + random.between(0, 8) * HOUR;
  const bookedAt = yield Math.min(start - ahead, office.now - random.between(1, 5 * 24) * HOUR);
  const partId = books.parts.get(offer.part ?? '');
  const { AppointmentId, Slots } = await office.call<{ AppointmentId: number; Slots: { Total: number }[] }>(
    'appointments/book',
    {
      ContactId: contact.id,
      ServiceName: offer.service,
      Duration: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
      Quantity: offer.quantities && random.pick(offer.quantities),
      Notes: random.pick(offer.notes),
      AddOnParts: partId === undefined ? undefined : [{ PartId: partId, Quantity: 1 }],
      // Hours, seasons and bookings of the past may differ from today's.
      SkipConflictChecks: true,
      Slots: [
        {
          DateTime: toIso(start),
          ServiceAgentId: agentId,
          ...(window ? { ArrivalFrom: toIso(window.start), ArrivalThrough: toIso(window.end) } : {}),
        },
      ],
    },
    bookedAt,
  );
  switch (fate) {
    case 'tentative':
      await office.call('appointments/update', { AppointmentId, Slots: [{ Status: 5 }] }, bookedAt + 5 * MINUTE);
      break;
    case 'canceled': {
      const { reason, note } = random.pick(catalogue.cancellations);
      const at = Math.max(yield Math.min(start - 20 * HOUR, office.now - 10 * MINUTE), bookedAt + HOUR / 2);
      const CancelReasonId = books.cancelReasons.get(reason);
      await office.call('appointments/cancel', { AppointmentId, CancelReasonId, UpdateNote: note }, at);
      break;
    }
    case 'started': {
      const actuals = { AppointmentId, UpdateActuals: true, ActualStart: toIso(start) };
      await office.call('appointments/update', actuals, yield start);
      break;
    }
    case 'completed':
      yield* finishJob(office, { ...job, AppointmentId, total: Slots[0]?.Total ?? 0 }, books);
  }
}

interface BookedJob extends PlannedJob {
  readonly AppointmentId: number;
  readonly total: number;
}

async function* finishJob(office: Office, job: BookedJob, books: Books): Story {
  const { AppointmentId, start, minutes, random } = job;
  const actualStart = start + random.between(-5, 15) * MINUTE;
  const finish = Math.min(office.now, actualStart + Math.round(minutes * (0.8 + random.next() * 0.35)) * MINUTE);
  const actuals = { UpdateActuals: true, ActualStart: toIso(actualStart), ActualFinish: toIso(finish) };
  const body = { AppointmentId, ...actuals };
  const done = await office.call<{ InvoiceId: number | null }>('appointments/update', body, yield finish);
  if (random.chance(0.12))
    await office.call('appointments/addtip', { AppointmentId, Amount: random.pick([5, 10, 15, 20]) }, finish + MINUTE);
  if (random.chance(0.12) && finish + 5 * HOUR < office.now) {
    const feedback = { Id: AppointmentId, ...random.pick(catalogue.feedback) };
    await office.call('appointments/feedback', feedback, yield finish + 5 * HOUR);
  }
  const billedAt = yield finish + 3 * HOUR;
  const InvoiceId = job.isBilled ? done.InvoiceId : await billVisits(office, billedAt, job, books);
  if (InvoiceId) yield* payInvoice(office, InvoiceId, finish + 4 * HOUR, random);
}

/** Bills several visits of a contact together. */
async function billVisits(office: Office, at: number, job: BookedJob, { unbilled }: Books): Promise<number | null> {
  const { AppointmentId, total, contact, offer, start } = job;
  const day = new Date(start).toLocaleDateString('en-US', { timeZone: contact.zone, dateStyle: 'medium' });
  const line = { Description: `${offer.service}, ${day}`, Rate: total, Qty: 1 };
  const Lines = [...(unbilled.get(contact.id) ?? []), ...(total > 0 ? [line] : [])];
  const isDue = Lines.length >= VISITS_AN_INVOICE;
  unbilled.set(contact.id, isDue ? [] : Lines);
  if (!isDue) return null;
  const Invoice = { ContactId: contact.id, AppointmentId, Lines, Terms: 'Net 15' };
  return (await office.call<{ InvoiceId: number }>('invoice/import', { Invoice }, at)).InvoiceId;
}

/** Most clients pay within two weeks; some late, some in part, a few not at all. */
async function* payInvoice(office: Office, InvoiceId: number, since: number, random: Random): Story {
  const days = random.chance(0.6) ? 0 : random.chance(0.9) ? random.between(1, 14) : random.between(20, 55);
  const paidAt = since + days * DAY;
  if (random.chance(0.025) || paidAt >= office.now) return;
  const at = yield paidAt;
  const { Invoice } = await office.call<{ Invoice: { BalanceDue: number } }>('invoice/get', { InvoiceId }, at);
  if (Invoice.BalanceDue <= 0) return;
  const Amount = random.chance(0.02) ? Math.round(Invoice.BalanceDue * 50) / 100 : Invoice.BalanceDue;
  const [Method, Reference] = random.pick([
    ['Card', `Visa ${random.between(1000, 9999)}`],
    ['Card', `Mastercard ${random.between(1000, 9999)}`],
    ['Check', `No. ${random.between(101, 4999)}`],
    ['Cash', ''],
  ]);
  await office.call('payment/import', { Payment: { InvoiceId, Amount, Method, Reference } }, at);
}

/** A customer's phone call before or after a job. */
async function* playCall(office: Office, { contact, start, random }: PlannedJob): Story {
  const at = yield Math.min(office.now - HOUR, start + random.between(-3, 4) * DAY);
  const about = { ContactId: contact.id, Phone: contact.phone, DurationSeconds: random.between(25, 420) };
  await office.call('contacts/logcall', { Chars: JSON.stringify({ ...about, ...random.pick(catalogue.calls) }) }, at);
}

/** An office task after a job, done or still open. */
async function* playTask(office: Office, { contact, start, random }: PlannedJob): Story {
  const at = yield Math.min(office.now - 2 * HOUR, start + 2 * HOUR);
  const due = at + random.between(1, 12) * DAY;
  const task = { ...random.pick(catalogue.tasks), DurationMinutes: random.pick([5, 10, 15, 30]), Due: toIso(due) };
  const { TaskId } = await office.call<{ TaskId: number }>('task/create', { ContactId: contact.id, ...task }, at);
  if (due < office.now - 2 * DAY || random.chance(0.3))
    await office.call('task/complete', { TaskId }, yield Math.min(due, office.now - HOUR));
}

/** Everyone to whom something was sold is a customer. */
async function alignCategories(office: Office): Promise<void> {
  const Matches = (await office.listContacts())
    .filter(({ isCustomer, hasHistory }) => isCustomer !== hasHistory)
    .map(({ id: Id, hasHistory }) => ({ Id, Category: hasHistory ? 'Customer' : 'Lead' }));
  if (Matches.length) await office.call('contacts/addupdate', { Matches });
}
