import { CANCELED_DAYS } from '../domain/calendar-feed.ts';
import { Status, appointmentDate, isOver, occupiesTime } from '../domain/appointments/record.ts';
import { type AppointmentRecord, appointmentEntity, callCenterEntity } from '../entities/appointments.ts';
import { idOf, listRange } from './dynamodb/records.ts';
import { isEqual, pick } from '../shared/objects.ts';
import { DAY, SECOND, toLocalDate } from '../shared/time/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { type Query, indexedRecordChange, listRecords } from './indexes.ts';
import { dateKey, layout, momentKey, sortable, toKey } from './keys.ts';
import { findVisible } from './visibility.ts';
import type { CallerScope, StoreAccount, StorePager, StoreReader } from './store.ts';
import { agentFact, agentIdsOf, appointmentFacts, proposalFact, trueFacts } from './visit-facts.ts';

export async function findAppointment(store: StoreReader, id: number): Promise<AppointmentRecord | undefined> {
  const key = layout.appointment.key({ account: store.account, id });
  const item = await findVisible({ ...store, agent: null }, key);
  const appointment = item && appointmentEntity.read(item);
  return appointment && isOfAgent(store, appointment) ? appointment : undefined;
}

/** Appointments by id, skipping missing ones. One request; none if there are no ids. */
export async function listAppointments(
  { account, table }: StoreReader,
  ids: readonly number[],
): Promise<AppointmentRecord[]> {
  const keys = [...new Set(ids)].map((id) => layout.appointment.key({ account, id }));
  return keys.length ? (await table.getMany(keys)).map((item) => appointmentEntity.read(item)) : [];
}

/**
 * Whether the key of a service agent may see an appointment: one of its visits, canceled or not. Other keys may see
 * all.
 */
const isOfAgent = ({ agent }: CallerScope, appointment: AppointmentRecord): boolean =>
  !agent ||
  (agentIdsOf(appointment).includes(agent.id) &&
    (appointmentDate(appointment, appointment.Zone) ?? Infinity) >= agent.visitsFrom);

/** Finds an appointment by its public handle. Two rounds. */
export async function findAppointmentByHash(store: StoreReader, hash: string): Promise<AppointmentRecord | undefined> {
  const { table } = store;
  const entry = await table.get(layout.appointmentHash.key({ account: store.account, hash }));
  return entry && findAppointment(store, idOf(entry));
}

/** A call with a CallCenterTransactionId, and the appointment that it made. */
export interface CallCenterCall {
  readonly id: number;
  /** `undefined` if the organization no longer has it; the id still counts as used. */
  readonly appointment: AppointmentRecord | undefined;
  /** Fingerprint of the request; calls stored before requests were compared have none. */
  readonly fingerprint: string | undefined;
  /** Time zone of the moments in the request. */
  readonly zone: string;
}

/** Maximum number of organizations with the same id whose calls an account key without organization reads. */
const MAX_CALLS = 100;

/** The earlier calls with the id in the organizations of the scope, one in each. Two rounds if there are any. */
export async function findCallCenterCalls(store: StoreReader, transaction: number): Promise<CallCenterCall[]> {
  const { table } = store;
  const { account, organizationId: organization } = store;
  const { PK, SK } = layout.callCenter.key({ account, transaction, organization: organization ?? 0 });
  const items =
    organization === null
      ? await listRange(table, { partition: PK, consistent: true }, { limit: MAX_CALLS })
      : await table.getMany([{ PK, SK }]);
  return Promise.all(
    items.map(async (item) => {
      const { Id, Fingerprint, Zone } = callCenterEntity.read(item);
      return { id: Id, appointment: await findAppointment(store, Id), fingerprint: Fingerprint, zone: Zone };
    }),
  );
}

/** Stores the call that made an appointment, if it is the first with its id in the organization. */
export const callCenterChange = (
  { account }: StoreAccount,
  {
    transaction,
    appointment: { Id, OrganizationId: organization },
    fingerprint: Fingerprint,
    zone: Zone,
  }: Omit<CallCenterCall, 'id'> & { readonly transaction: number; readonly appointment: AppointmentRecord },
): Change => ({
  put: { ...layout.callCenter.key({ account, transaction, organization }), Id, Fingerprint, Zone },
  if: 'absent',
});

/** The appointment with its new version, and the changes that store it and its handle. */
export function appointmentChanges(
  store: StoreAccount,
  { before, after, now }: { before: AppointmentRecord | undefined; after: AppointmentRecord; now: Date },
): { record: AppointmentRecord; changes: Change[] } {
  const { account } = store;
  const appointment = { ...after, ...movedAt(before, after, now), Updated: now.getTime() };
  const { Id, Zone, HashKey } = appointment;
  const date = appointmentDate(appointment, Zone);
  const key = layout.appointment.key({ account, id: Id });
  const facts = appointmentFacts(appointment);
  const day = appointment.Start === null ? appointment.QueueDate : '';
  const entry = { key, date, day, zone: Zone, open: !isOver(appointment), facts };
  const { record, change } = indexedRecordChange(store, appointmentEntity, entry, { before, after: appointment });
  const changes: Change[] = [
    change,
    ...visitChanges(store, before, appointment),
    ...(before ? movedMinutes(store, before, appointment) : []),
  ];
  if (!before) changes.push({ put: { ...layout.appointmentHash.key({ account, hash: HashKey }), Id } });
  return { record, changes };
}

/** When a visit that may belong to a series was moved, unless a change of the series moved it. */
function movedAt(before: AppointmentRecord | undefined, after: AppointmentRecord, now: Date) {
  if (!before || !(after.SeriesId || after.Sold) || after.MovedAt !== before.MovedAt) return {};
  const places = [before, after].map((each) => pick(each, 'Start', 'QueueDate', 'ServiceAgentId', 'AdditionalAgents'));
  return isEqual(places[0], places[1]) ? {} : { MovedAt: now.getTime() };
}

/** Adds minutes to those that strangers have booked on a day; with a limit, only if they are below it. */
export const clientDayChange = (
  { account }: StoreAccount,
  { OrganizationId: organization, Start, Zone, Updated }: AppointmentRecord,
  minutes: number,
  limit?: number,
): Change => ({
  update: layout.clientDay.key({ account, organization, day: toLocalDate(Start ?? 0, Zone) }),
  set: { TTL: ttlAfter(new Date(Math.max(Start ?? 0, Updated)), WEEK_SECONDS) },
  add: { Minutes: minutes },
  ...(limit !== undefined && { if: { atLeast: {}, below: { Minutes: limit } } }),
});

const WEEK_SECONDS = (7 * DAY) / SECOND;

/** The minutes that a change of a stranger's visit returns to its former day, and takes from the new one. */
function movedMinutes(store: StoreAccount, before: AppointmentRecord, after: AppointmentRecord): Change[] {
  const isCounted = ({ Network, Start, Status: status }: AppointmentRecord) =>
    Network !== '' && Start !== null && occupiesTime(status);
  const [gives, takes] = [isCounted(before), isCounted(after)];
  if (gives && takes) {
    const isSameDay = toLocalDate(before.Start ?? 0, before.Zone) === toLocalDate(after.Start ?? 0, after.Zone);
    const difference = after.Duration - before.Duration;
    if (isSameDay) return difference ? [clientDayChange(store, after, difference)] : [];
  }
  return [
    ...(gives ? [clientDayChange(store, before, -before.Duration)] : []),
    ...(takes ? [clientDayChange(store, after, after.Duration)] : []),
  ];
}

/** The changes that remove an appointment as it was read, with its handle and the entries of its agents. */
export const removedAppointmentChanges = (store: StoreAccount, appointment: AppointmentRecord): Change[] => [
  {
    remove: layout.appointment.key({ account: store.account, id: appointment.Id }),
    if: { equals: { V: appointment.V } },
  },
  { remove: layout.appointmentHash.key({ account: store.account, hash: appointment.HashKey }) },
  ...visitItems(store, appointment).map((item) => ({ remove: toKey(item) })),
];

/** Fails if somebody else changes the appointment at the same time. */
export const unchangedAppointment = ({ account }: StoreAccount, { Id, V }: AppointmentRecord): Change => ({
  check: layout.appointment.key({ account, id: Id }),
  if: { equals: { V } },
});

interface AppointmentQuery extends Query {
  readonly agent?: number | undefined;
  /** The appointment's own proposal or its root. */
  readonly proposal?: number | undefined;
  readonly invoice?: number | undefined;
  readonly status?: number | undefined;
  readonly over?: boolean | undefined;
  readonly shadow?: boolean | undefined;
}

/**
 * A page of the appointments that meet all criteria, ordered by time, then id, with those without a time last; and
 * their count.
 */
export async function queryAppointments(
  store: StorePager,
  { agent, proposal, invoice, status, over, shadow, ...query }: AppointmentQuery,
  now: Date,
): Promise<{ count: number; appointments: AppointmentRecord[] }> {
  const facts = [
    ...(agent === undefined ? [] : [agentFact(agent)]),
    ...(store.agent ? [agentFact(store.agent.id)] : []),
    ...(proposal === undefined ? [] : [proposalFact(proposal)]),
  ];
  const where = { status, over, shadow, invoice, ...trueFacts(facts) };
  const { key } = layout.appointment;
  const { count, records } = await listRecords(
    { ...store, agent: null },
    appointmentEntity,
    { ...query, since: store.agent?.visitsFrom, open: over === false, where, key },
    now,
  );
  return { count, appointments: records };
}

/** An entry for each agent of an appointment that is not canceled. */
function visitItems({ account }: StoreAccount, appointment: AppointmentRecord): Item[] {
  if (appointment.Status === Status.Canceled) return [];
  const { Id, ContactId } = appointment;
  const date = dateKey(appointmentDate(appointment, appointment.Zone));
  return [...new Set(agentIdsOf(appointment))].map((agent) => ({
    ...layout.agentVisit.key({ account, agent, date, id: Id }),
    ContactId,
  }));
}

/** Maximum number of visits of an agent that are read at once. */
const MAX_VISITS = 1_000;

/** Where a page of visits begins, and its maximum length. */
export interface VisitPage {
  readonly after?: string | undefined;
  readonly take?: number;
}

/** Up to 1,000 appointments of an agent, from a moment on, that are not canceled. Two rounds. */
export async function listVisitsFrom(
  store: StoreReader,
  { agent, from }: { readonly agent: number; readonly from: number },
  { after, take: limit = MAX_VISITS }: VisitPage = {},
): Promise<{ readonly visits: readonly AppointmentRecord[]; readonly next: string | undefined }> {
  const { account, table } = store;
  const partition = layout.agentVisit.of({ account, agent });
  const range = { partition, from: momentKey(from), to: '~', consistent: true };
  const { items, next } = await table.query({ ...range, after, limit });
  const ids = items.map(({ SK }) => Number(SK.split('#')[1]));
  return { visits: await listAppointments(store, ids), next };
}

/** Changes of an appointment's entries that accompany its own change. */
function visitChanges(store: StoreAccount, before: AppointmentRecord | undefined, after: AppointmentRecord): Change[] {
  const [former, items] = [before ? visitItems(store, before) : [], visitItems(store, after)];
  const isIn = (list: readonly Item[], item: Item) => list.some((other) => isEqual(other, item));
  const isKept = ({ PK, SK }: Item) => items.some((item) => item.PK === PK && item.SK === SK);
  return [
    ...former.filter((item) => !isKept(item)).map((item) => ({ remove: toKey(item) })),
    ...items.filter((item) => !isIn(former, item)).map((put) => ({ put })),
    ...(before ? canceledVisitChanges(store, before, after) : []),
  ];
}

/**
 * An entry for each agent of a visit that is canceled, so that their calendars show it as canceled. An entry of a visit
 * that is booked again stays until it expires: its readers look at the visit.
 */
function canceledVisitChanges(
  { account }: StoreAccount,
  before: AppointmentRecord,
  { Id: id, Status: status, Updated: at }: AppointmentRecord,
): Change[] {
  if (status !== Status.Canceled || before.Status === Status.Canceled || before.Start === null) return [];
  const TTL = ttlAfter(new Date(at), ((CANCELED_DAYS + 1) * DAY) / SECOND);
  return [...new Set(agentIdsOf(before))].map((agent) => ({
    put: { ...layout.canceledVisit.key({ account, agent, at: sortable(at), id }), TTL },
  }));
}
