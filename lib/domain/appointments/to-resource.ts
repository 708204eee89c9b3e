import { type AdditionalAgent, type AppointmentRecord, appointmentEntity } from '../../entities/appointments.ts';
import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import type { AdditionalServiceAgent, Appointment } from '../../resources/appointments.ts';
import type { Contact } from '../../resources/contacts.ts';
import { formatDuration } from '../../shared/time/durations.ts';
import { type DateStyle, formatMoment, toFriendly, toFriendlyDate } from '../../shared/time/zones.ts';
import { MINUTE, toUtc } from '../../shared/time/time.ts';
import { serviceAgentToResource } from '../service-agents.ts';
import type { ClientLink } from '../links.ts';
import { Status, appointmentDate } from './record.ts';

interface AppointmentRelations {
  readonly dateStyle: DateStyle;
  readonly link: ClientLink;
  /** Time zone of the organization, if it has changed since the last change of the appointment. */
  readonly zone?: string | undefined;
  /** The organization's agents as they are now. */
  readonly agents?: ReadonlyMap<number, ServiceAgentRecord> | undefined;
  readonly contact?: Contact | null | undefined;
}

const additionalAgentToResource = (
  { ServiceAgentId: Id, Name, ...times }: AdditionalAgent,
  { OrganizationId, Created }: AppointmentRecord,
  agents: AppointmentRelations['agents'],
): AdditionalServiceAgent => ({
  ...times,
  ServiceAgent: serviceAgentToResource(
    agents?.get(Id) ?? serviceAgentEntity.blank({ Id, Name, OrganizationId, Created }),
  ),
});

export function appointmentToResource(
  record: AppointmentRecord,
  { dateStyle, link, zone = record.Zone, agents, contact = null }: AppointmentRelations,
): Appointment {
  const { ActualStart, ActualFinish, Feedback } = record;
  const date = appointmentDate(record, zone);
  return appointmentEntity.toResource(record, {
    ...appointmentEntity.resource,
    DateTime: formatMoment(date, zone, dateStyle),
    DateTimeFormatted: date === null ? '' : record.Start === null ? toFriendlyDate(date, zone) : toFriendly(date, zone),
    ServiceAgentName: agents?.get(record.ServiceAgentId)?.Name ?? record.ServiceAgentName,
    DurationFormatted: formatDuration(record.Duration),
    TipUrl: record.Status === Status.Completed ? link('feedback', record.Id, record.LinksRevoked ?? 0) : '',
    TrackingUrl: record.Start === null ? '' : link('visit', record.Id, record.LinksRevoked ?? 0),
    ActualStart: formatMoment(ActualStart, zone, dateStyle),
    ActualDuration:
      ActualStart === null || ActualFinish === null ? null : Math.round((ActualFinish - ActualStart) / MINUTE),
    AdditionalServiceAgents: record.AdditionalAgents.map((agent) => additionalAgentToResource(agent, record, agents)),
    Contact: contact,
    Feedback: Feedback && { ...Feedback, At: toUtc(Feedback.At) },
  });
}
