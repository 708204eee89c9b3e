import { type AppointmentRecord, expandAppointment } from '../domain/appointments/record.ts';
import { Status } from '../domain/appointments/status.ts';
import { appointmentToResource } from '../domain/appointments/to-resource.ts';
import { startOfDate } from '../shared/zones.ts';
import { toUtc } from '../shared/format-moments.ts';
import { add } from '../shared/money.ts';
import type { Image } from './change.ts';
import type { EntityKind } from './kinds.ts';

const recordOf = (image: Image): AppointmentRecord => expandAppointment(image);

/** What has happened when the status becomes this one. */
const becoming: Readonly<Record<number, string>> = {
  [Status.Queued]: 'appointment.queued',
  [Status.Scheduled]: 'appointment.booked',
  [Status.Started]: 'appointment.started',
  [Status.Completed]: 'appointment.completed',
  [Status.Canceled]: 'appointment.canceled',
  [Status.Tentative]: 'appointment.booked',
};

const agentsIn = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord): string =>
  JSON.stringify([
    ServiceAgentId,
    ...AdditionalAgents.map(({ ServiceAgentId: id, StartMinute, Duration }) => [id, StartMinute, Duration]),
  ]);

/** The Kind of a change: of the status before all, then of time, length or agents, then of tip and feedback. */
function kindOf(was: AppointmentRecord, is: AppointmentRecord): string {
  if (was.Status === Status.Tentative && is.Status === Status.Scheduled) return 'appointment.confirmed';
  if (was.Status !== is.Status) return becoming[is.Status] ?? 'appointment.updated';
  if (was.Start !== is.Start || was.Duration !== is.Duration || agentsIn(was) !== agentsIn(is))
    return is.Start === null ? 'appointment.updated' : 'appointment.rescheduled';
  if (was.Tip !== is.Tip) return 'appointment.tipped';
  return JSON.stringify(was.Feedback) === JSON.stringify(is.Feedback) ? 'appointment.updated' : 'appointment.feedback';
}

/** When it is, or was to be from. */
function dateOf({ Start, QueueDate, Zone }: AppointmentRecord): number | null {
  return Start ?? (QueueDate ? startOfDate(QueueDate, Zone) : null);
}

/** What it comes to before tax is known of one that will be billed. */
const subtotalOf = ({ BilledLines }: AppointmentRecord): number | null =>
  BilledLines.length ? add(...BilledLines.map(({ Extended }) => Extended)) : null;

/** What an event tells of an appointment, as it is kept, beyond its slot. */
const alsoTold = [
  'HashKey',
  'Notes',
  'InternalNotes',
  'EnRouteUri',
  'ConfirmationUri',
  'NotificationOptions',
  'QueueDate',
  'Demand',
  'InvoiceId',
] as const satisfies readonly (keyof AppointmentRecord)[];

/**
 * Changes of appointments. Beside the slot, `Data` has what operations answer around it: notes, tip, feedback, queue.
 */
export const appointment: EntityKind = {
  kinds: { created: 'appointment.booked', updated: 'appointment.updated', deleted: 'appointment.deleted' },
  transactionKind: 1,
  transaction: (image) => {
    const record = recordOf(image);
    return { date: dateOf(record), subtotal: subtotalOf(record) };
  },
  resource(image, { baseUrl }) {
    const record = recordOf(image);
    const { Tip, Feedback, ActualFinish } = record;
    const said = Feedback && { ...Feedback, At: toUtc(Feedback.At) };
    return {
      ...appointmentToResource(record, { baseUrl, dateStyle: 'iso' }),
      ...Object.fromEntries(alsoTold.map((name) => [name, record[name]])),
      ActualFinish: ActualFinish === null ? null : toUtc(ActualFinish),
      Tip,
      Feedback: said,
    };
  },
  contactId: ({ ContactId }) => ContactId as number,
  created: (image) => becoming[recordOf(image).Status] ?? 'appointment.booked',
  updated: ({ before, after }) => (before && after ? kindOf(recordOf(before), recordOf(after)) : undefined),
};
