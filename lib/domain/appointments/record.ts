import type { Contact } from '../../entities/contacts.ts';
import {
  APPOINTMENT_STATUSES,
  type AdditionalAgent,
  type AdditionalServiceAgent,
  type Appointment,
  type AppointmentRecord,
  additionalAgent,
  appointmentEntity,
  feedback,
} from '../../entities/appointments.ts';
import { type New, shownOf } from '../../entities/declaration/entity.ts';
import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import {
  type DateStyle,
  formatDuration,
  formatMoment,
  MINUTE,
  startOfDate,
  toFriendly,
  toFriendlyDate,
  toLocalDate,
} from '../../shared/time/time.ts';
import { isEqual, pick } from '../../shared/objects.ts';
import type { ClientLink } from '../client-pages.ts';
import { formatWindow } from '../scheduling/arrival-windows.ts';
import type { Interval } from '../scheduling/calendar.ts';
import { serviceAgentToResource } from '../service-agents.ts';

/** Appointment basics: statuses and who may change them, date, notes, and the resource. */

export type StatusName = (typeof APPOINTMENT_STATUSES)[number];

export const Status = {
  Queued: 0,
  Scheduled: 1,
  Started: 2,
  Completed: 3,
  Canceled: 4,
  Tentative: 5,
} as const satisfies Record<StatusName, number>;
export type Status = (typeof Status)[StatusName];

export const statusName = (status: number): string => APPOINTMENT_STATUSES[status] ?? String(status);

/** Whether an appointment with the status takes its agents' time. A completed one keeps it. */
export const occupiesTime = (status: number): boolean =>
  status === Status.Scheduled ||
  status === Status.Started ||
  status === Status.Completed ||
  status === Status.Tentative;

/** Who may make a status change: every caller of the operation, the office, or an administrator. */
type Rank = 'anyone' | 'office' | 'admin';

const TRANSITIONS: Readonly<Record<StatusName, Partial<Record<StatusName, Rank>>>> = {
  Queued: { Scheduled: 'anyone', Tentative: 'anyone', Canceled: 'anyone' },
  Tentative: { Scheduled: 'anyone', Canceled: 'anyone', Queued: 'anyone' },
  Scheduled: { Started: 'anyone', Completed: 'anyone', Canceled: 'anyone', Queued: 'anyone', Tentative: 'anyone' },
  Started: { Completed: 'anyone', Canceled: 'anyone' },
  // The work may already be invoiced.
  Completed: { Started: 'admin' },
  Canceled: { Queued: 'office', Scheduled: 'office' },
};

const RANKS: Readonly<Record<Exclude<Rank, 'anyone'>, readonly string[]>> = {
  office: ['Office', 'Admin', 'Owner'],
  admin: ['Admin', 'Owner'],
};

/** `conflict` for a change that nobody may make, `forbidden` for one that the role may not make. */
export type StatusChange =
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: 'conflict' | 'forbidden'; readonly message: string };

/** Whether a role may change the status of an appointment. Keeping the status is not a change. */
export function changeStatus(from: number, to: number, role: string): StatusChange {
  const [former, next] = [APPOINTMENT_STATUSES[from], APPOINTMENT_STATUSES[to]];
  const rank = former && next && TRANSITIONS[former][next];
  if (!rank) {
    const message = `The appointment is ${statusName(from)}, which cannot become ${statusName(to)}.`;
    return { ok: false, kind: 'conflict', message };
  }
  if (rank === 'anyone' || RANKS[rank].includes(role)) return { ok: true };
  const allowed = RANKS[rank].join(', ');
  const message = `A key of role ${role} may not make a ${former} appointment ${next}. These roles may: ${allowed}.`;
  return { ok: false, kind: 'forbidden', message };
}

/** A new appointment, queued unless `input` says otherwise. */
export const blankAppointment = (
  input: Omit<New<typeof appointmentEntity.fields>, 'Status' | 'Start'> & Partial<AppointmentRecord>,
): AppointmentRecord => appointmentEntity.blank({ Status: Status.Queued, Start: null, ...input });

export const isOver = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Completed || status === Status.Canceled;

/** Whether an appointment is still ahead: queued, or with a future start. */
export const isAhead = (appointment: Pick<AppointmentRecord, 'Status' | 'Start'>, now: Date): boolean =>
  !isOver(appointment) && (appointment.Start ?? Infinity) > now.getTime();

/** The start of an appointment, or of the day for which it is queued; `null` without either. */
export const appointmentDate = (
  { Start, QueueDate }: Pick<AppointmentRecord, 'Start' | 'QueueDate'>,
  zone: string,
): number | null => Start ?? (QueueDate ? startOfDate(QueueDate, zone) : null);

/** The fields of an appointment that is not Canceled. */
export const NOT_CANCELED = {
  CancelReasonId: null,
  CancelReason: '',
  CanceledBy: '',
  CanceledAt: null,
} as const satisfies Partial<AppointmentRecord>;

/** The fields of an appointment without an arrival window. */
export const EXACT_TIME = { ArrivalFrom: null, ArrivalThrough: null } as const satisfies Partial<AppointmentRecord>;

/** The window in which the client expects the visit; `undefined` for an exact time. */
export const arrivalOf = ({
  ArrivalFrom: start,
  ArrivalThrough: end,
}: Pick<AppointmentRecord, 'ArrivalFrom' | 'ArrivalThrough'>): Interval | undefined =>
  start === null || end === null ? undefined : { start, end };

/** The fields that clients see on the page and in the calendar file of a visit with an arrival window. */
const SEEN = [
  'Status',
  'ServiceAgentId',
  'ServiceName',
  'ArrivalFrom',
  'ArrivalThrough',
  'HeldUntil',
  'ActualStart',
] as const;

/** A changed visit; counts a change of which the client sees nothing. */
export const countUnseen = (before: AppointmentRecord, after: AppointmentRecord): AppointmentRecord =>
  arrivalOf(after) && isEqual(pick(before, ...SEEN), pick(after, ...SEEN))
    ? { ...after, UnseenChanges: after.UnseenChanges + 1 }
    : after;

/** Removes time and agents; the appointment is then queued for `date`, else for the day of its former time. */
export const toQueued = (appointment: AppointmentRecord, date: string, now: number): AppointmentRecord => ({
  ...appointment,
  Status: Status.Queued,
  QueueDate: date || appointment.QueueDate || toLocalDate(appointment.Start ?? now, appointment.Zone),
  Start: null,
  ServiceAgentId: 0,
  ServiceAgentName: '',
  AdditionalAgents: [],
  DriveTimeMinutes: 0,
  DriveTimeWarning: false,
  ...EXACT_TIME,
  ...NOT_CANCELED,
});

/** Appends a note on its own line, with the time: `Sun, Mar 8 2026 9:00 AM: Gate is open.` */
export function appendNote(
  appointment: AppointmentRecord,
  note: string | null | undefined,
  now: Date,
): AppointmentRecord {
  const text = note?.trim();
  if (!text) return appointment;
  const line = `${toFriendly(now.getTime(), appointment.Zone)}: ${text}`;
  return { ...appointment, Notes: appointment.Notes ? `${appointment.Notes}\n${line}` : line };
}

interface AppointmentRelations {
  readonly dateStyle: DateStyle;
  readonly link: ClientLink;
  /** The organization's time zone, if it has changed since the last change of the appointment. */
  readonly zone?: string | undefined;
  /** The organization's current agents. */
  readonly agents?: ReadonlyMap<number, ServiceAgentRecord> | undefined;
  readonly contact?: Contact | null | undefined;
}

const additionalAgentToResource = (
  agent: AdditionalAgent,
  { OrganizationId, Created }: AppointmentRecord,
  agents: AppointmentRelations['agents'],
): AdditionalServiceAgent =>
  shownOf(additionalAgent, agent, {
    ServiceAgent: serviceAgentToResource(
      agents?.get(agent.ServiceAgentId) ??
        serviceAgentEntity.blank({ Id: agent.ServiceAgentId, Name: agent.Name, OrganizationId, Created }),
    ),
  });

/** The page on which the client follows the visit; `''` if it has no time. */
export const trackingUrl = ({ Id, Start, LinksRevoked = 0 }: AppointmentRecord, link: ClientLink): string =>
  Start === null ? '' : link('visit', Id, LinksRevoked);

export function appointmentToResource(
  record: AppointmentRecord,
  { dateStyle, link, zone = record.Zone, agents, contact = null }: AppointmentRelations,
): Appointment {
  const { ActualStart, ActualFinish, CanceledAt, HeldUntil, Feedback } = record;
  const orNull = (at: number | null) => (at === null ? null : formatMoment(at, zone, dateStyle));
  const date = appointmentDate(record, zone);
  const arrival = arrivalOf(record);
  const formatDate = () =>
    date === null ? '' : record.Start === null ? toFriendlyDate(date, zone) : toFriendly(date, zone);
  return appointmentEntity.toResource(record, {
    DateTime: formatMoment(date, zone, dateStyle),
    DateTimeFormatted: arrival ? formatWindow(arrival, zone) : formatDate(),
    ServiceAgentName: agents?.get(record.ServiceAgentId)?.Name ?? record.ServiceAgentName,
    DurationFormatted: formatDuration(record.Duration),
    TipUrl: record.Status === Status.Completed ? link('feedback', record.Id, record.LinksRevoked ?? 0) : '',
    TrackingUrl: trackingUrl(record, link),
    ActualStart: formatMoment(ActualStart, zone, dateStyle),
    ActualFinish: orNull(ActualFinish),
    CanceledAt: orNull(CanceledAt),
    HeldUntil: orNull(HeldUntil),
    ArrivalFrom: orNull(record.ArrivalFrom),
    ArrivalThrough: orNull(record.ArrivalThrough),
    Capacity: null,
    ActualDuration:
      ActualStart === null || ActualFinish === null ? null : Math.round((ActualFinish - ActualStart) / MINUTE),
    AdditionalServiceAgents: record.AdditionalAgents.map((agent) => additionalAgentToResource(agent, record, agents)),
    Contact: contact,
    Feedback: Feedback && shownOf(feedback, Feedback, { At: formatMoment(Feedback.At, zone, dateStyle) }),
  });
}
