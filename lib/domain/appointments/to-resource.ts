import type { AdditionalServiceAgent, AppointmentSlot } from '../../resources/appointments.ts';
import type { Contact } from '../../resources/contacts.ts';
import type { ServiceAgent } from '../../resources/organizations.ts';
import { formatDuration } from '../../shared/durations.ts';
import { type DateStyle, formatMoment, toFriendly } from '../../shared/format-moments.ts';
import { type ServiceAgentRecord, serviceAgentToResource } from '../service-agents.ts';
import type { AdditionalAgent, AppointmentRecord } from './record.ts';
import { MINUTE } from '../../shared/time.ts';

/** How appointments are to be shown. */
export interface AppointmentRelations {
  readonly baseUrl: string;
  readonly dateStyle: DateStyle;
  /** Time zone of the organization, where it is another than when the appointment was last changed. */
  readonly zone?: string | undefined;
  /** The organization's agents as they are now. */
  readonly agents?: ReadonlyMap<number, ServiceAgentRecord> | undefined;
  readonly contact?: Contact | null | undefined;
}

const unknownAgent = (Id: number, Name: string): ServiceAgent => ({
  Id,
  Name,
  Email: '',
  MobilePhone: '',
  StartDate: '',
  EndDate: '',
  TimeSlots: [],
});

const additionalOf = (
  { ServiceAgentId, Name, ...times }: AdditionalAgent,
  agents: AppointmentRelations['agents'],
): AdditionalServiceAgent => {
  const agent = agents?.get(ServiceAgentId);
  const { StartMinute, Duration, ActualStartMinute, ActualDuration } = times;
  return {
    StartMinute,
    Duration,
    ActualStartMinute,
    ActualDuration,
    ServiceAgent: agent ? serviceAgentToResource(agent) : unknownAgent(ServiceAgentId, Name),
  };
};

/** Where a client follows the appointment, and where a tip is given: the handle alone says which. */
const trackingUrl = (baseUrl: string, { HashKey }: Pick<AppointmentRecord, 'HashKey'>): string =>
  `${baseUrl}/client/appointment/${HashKey}`;
const tipUrl = (baseUrl: string, { HashKey }: AppointmentRecord): string => `${baseUrl}/client/tip/${HashKey}`;

/** The complete appointment as every operation answers it. */
export function appointmentToResource(
  record: AppointmentRecord,
  { baseUrl, dateStyle, zone = record.Zone, agents, contact = null }: AppointmentRelations,
): AppointmentSlot {
  const { ActualStart, ActualFinish, ServiceAgentId } = record;
  return {
    ContactId: record.ContactId,
    AppointmentId: record.Id,
    DateTime: formatMoment(record.Start, zone, dateStyle),
    DateTimeFormatted: record.Start === null ? '' : toFriendly(record.Start, zone),
    ServiceAgentId,
    Quantity: record.Quantity,
    Duration: record.Duration,
    ServiceAgentName: agents?.get(ServiceAgentId)?.Name ?? record.ServiceAgentName,
    DurationFormatted: formatDuration(record.Duration),
    ServiceId: record.ServiceId,
    ServiceName: record.ServiceName,
    Discount: record.Discount,
    Total: record.Total,
    NotificationUri: record.NotificationUri,
    TipUrl: tipUrl(baseUrl, record),
    ThirdPartyUrl: record.ThirdPartyUrl,
    TrackingUrl: trackingUrl(baseUrl, record),
    ActualStart: formatMoment(ActualStart, zone, dateStyle),
    ActualDuration:
      ActualStart === null || ActualFinish === null ? null : Math.round((ActualFinish - ActualStart) / MINUTE),
    Status: record.Status,
    Shadow: record.Shadow,
    DriveTimeMinutes: record.DriveTimeMinutes,
    DriveTimeWarning: record.DriveTimeWarning,
    ProposalId: record.ProposalId,
    RootProposalId: record.RootProposalId,
    ReworkForAppointmentId: record.ReworkForAppointmentId,
    CancelReasonId: record.CancelReasonId,
    AddOnParts: [...record.AddOnParts],
    CustomProperties: { ...record.CustomProperties },
    AdditionalServiceAgents: record.AdditionalAgents.map((each) => additionalOf(each, agents)),
    Contact: contact,
  };
}
