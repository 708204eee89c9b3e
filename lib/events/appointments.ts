import type { AppointmentRecord } from '../entities/appointments.ts';
import { Status, appointmentDate, appointmentToResource, arrivalOf } from '../domain/appointments/record.ts';
import type { EventKind } from '../resources/event-kinds.ts';
import { isEqual } from '../shared/objects.ts';
import { add } from '../shared/money.ts';
import { type EntityKind, kindsOf } from './entity-kind.ts';

const kindOfStatus: Readonly<Record<number, EventKind>> = {
  [Status.Queued]: 'appointment.queued',
  [Status.Scheduled]: 'appointment.booked',
  [Status.Started]: 'appointment.started',
  [Status.Completed]: 'appointment.completed',
  [Status.Canceled]: 'appointment.canceled',
  [Status.Tentative]: 'appointment.booked',
};

/** Clients do not see a start that moves within its arrival window. */
const timeOf = ({ Start, Duration, ServiceAgentId, AdditionalAgents, ...visit }: AppointmentRecord) => [
  arrivalOf(visit) ?? Start,
  Duration,
  ServiceAgentId,
  AdditionalAgents.map((agent) => [agent.ServiceAgentId, agent.StartMinute, agent.Duration]),
];

/** The status decides first, then time, length and agents, then tip and feedback. */
function updateKind(before: AppointmentRecord, after: AppointmentRecord): EventKind {
  if (before.Status === Status.Tentative && after.Status === Status.Scheduled) return 'appointment.confirmed';
  if (before.Status !== after.Status) return kindOfStatus[after.Status] ?? 'appointment.updated';
  if (!isEqual(timeOf(before), timeOf(after)))
    return after.Start === null ? 'appointment.updated' : 'appointment.rescheduled';
  if (before.Tip !== after.Tip) return 'appointment.tipped';
  return isEqual(before.Feedback, after.Feedback) ? 'appointment.updated' : 'appointment.feedback';
}

export const appointment: EntityKind<AppointmentRecord> = {
  kinds: { ...kindsOf('appointment'), created: 'appointment.booked' },
  transactionKind: 1,
  transaction(record) {
    const { BilledLines, Subtotal, Total } = record;
    return {
      date: appointmentDate(record, record.Zone),
      subtotal: BilledLines.length ? add(...BilledLines.map(({ Extended }) => Extended)) : (Subtotal ?? Total),
    };
  },
  resource: (record, { agents, link }) => appointmentToResource(record, { dateStyle: 'iso', agents, link }),
  contactId: ({ ContactId }) => ContactId,
  created: ({ Status: status }) => kindOfStatus[status] ?? 'appointment.booked',
  updated: updateKind,
};
