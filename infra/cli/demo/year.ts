import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { Job } from '../../../lib/domain/scheduling/calendar.ts';
import { toLocalDate } from '../../../lib/shared/time/format-moments.ts';
import { DAY, HOUR } from '../../../lib/shared/time/time.ts';
import { listJobs } from '../../../lib/store/calendars.ts';
import type { TableReader } from '../../../lib/store/dynamodb/client.ts';
import { listParts } from '../../../lib/store/pricebook/parts.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { listServices } from '../../../lib/store/pricebook/services.ts';
import { loadPositions } from '../../../lib/workflows/appointments/booking-context.ts';
import { type Office, type Story, playStories } from './office.ts';
import { JOBS_A_DENSE_DAY, type PlannedJob, denseDays, planWork } from './plan-work.ts';
import { type WorkNames, playCall, playJob, playTask } from './play-work.ts';
import { Random } from './random.ts';

const SEED = 20_260_301;

interface Company {
  readonly account: string;
  readonly organizations: readonly OrganizationRecord[];
  readonly now: Date;
}

/** Plays a year of work up to `now`, and books the next two weeks: the same for the same day. */
export async function playYear(office: Office, table: TableReader, company: Company): Promise<void> {
  const jobs = await planJobs(office, table, company);
  const [{ Matches: reasons }, parts] = await Promise.all([
    office.call<{ Matches: { Id: number; Reason: string }[] }>('cancelreasons/all', {}),
    listParts(table, company.account),
  ]);
  const names = {
    now: company.now.getTime(),
    cancelReasons: new Map(reasons.map(({ Id, Reason }) => [Reason, Id])),
    partIds: new Map(parts.map(({ Id, Name }) => [Name, Id])),
  };
  const stories = jobs.flatMap((job, index) => storiesOf(office, job, { ...names, random: new Random(SEED + index) }));
  await playStories(stories, company.now);
  await alignCategories(office);
}

/** The stories of a job: itself, and sometimes a call or a task. */
function storiesOf(office: Office, job: PlannedJob, names: WorkNames): Story[] {
  const { random } = names;
  const isRecent = job.start > names.now - 60 * DAY && job.start < names.now;
  return [
    playJob(office, job, names),
    ...(isRecent && random.chance(0.12) ? [playCall(office, job, names)] : []),
    ...(isRecent && random.chance(0.08) ? [playTask(office, job, names)] : []),
  ];
}

/** The jobs of all organizations from `since` days before today, by default a year, through two weeks from today. */
export async function planJobs(
  office: Office,
  table: TableReader,
  { account: accountId, organizations, now }: Company,
  { since }: { readonly since?: number } = {},
): Promise<PlannedJob[]> {
  const [contacts, positionAt] = await Promise.all([office.listContacts(), loadPositions()]);
  const plans = organizations.map(async (organization) => {
    const organizationId = organization.Id;
    const scope = { accountId, organizationId };
    const { jobs: booked } = await listJobs(table, scope, denseDays(now.getTime()));
    const own = {
      now: now.getTime(),
      seed: SEED + organizationId,
      organization,
      agents: await listAgents(table, accountId, organizationId),
      services: await listServices(table, scope),
      contacts: contacts.filter((contact) => contact.organizationId === organizationId),
      jobs: booked,
      positionAt,
    };
    return { booked, planned: await planWork(own, since) };
  });
  const all = await Promise.all(plans);
  const jobs = all.flatMap(({ planned }) => planned);
  if (jobs.some(({ fate }) => fate === 'started')) return jobs;
  const booked = all.flatMap((plan) => plan.booked);
  return [...jobs, ...planEmergency(jobs, booked, now.getTime())];
}

/** Outside the hours of everyone, somebody is out for an emergency. */
function planEmergency(jobs: readonly PlannedJob[], booked: readonly Job[], now: number): PlannedJob[] {
  const start = Math.floor(now / HOUR) * HOUR - HOUR / 2;
  const taken = [...booked, ...jobs.filter(({ fate }) => fate !== 'canceled')];
  const isFree = ({ agentId, contact }: PlannedJob) => {
    const own = taken.filter((job) => job.agentId === agentId);
    const isSameDay = (job: { start: number }) =>
      toLocalDate(job.start, contact.zone) === toLocalDate(start, contact.zone);
    return (
      own.every((job) => Math.abs(job.start - start) >= 3 * HOUR) && own.filter(isSameDay).length < JOBS_A_DENSE_DAY.max
    );
  };
  const last = jobs.findLast((job) => job.offer.service === 'Gutter Cleaning' && job.contact.isCustomer && isFree(job));
  return last ? [{ ...last, start, minutes: 90, fate: 'started', isUnchecked: true }] : [];
}

/** Whoever something was sold to is a customer. */
async function alignCategories(office: Office): Promise<void> {
  const contacts = await office.listContacts();
  const Matches = contacts
    .filter(({ isCustomer, hasHistory }) => isCustomer !== hasHistory)
    .map(({ id: Id, hasHistory }) => ({ Id, Category: hasHistory ? 'Customer' : 'Lead' }));
  if (Matches.length) await office.call('contacts/addupdate', { Matches });
}
