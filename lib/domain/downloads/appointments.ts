import { type AppointmentRecord, appointmentEntity } from '../../entities/appointments.ts';
import { Status, appointmentDate, statusName } from '../appointments/record.ts';
import { column, contactColumns, organizationColumns, recordColumns } from './columns.ts';
import { type DownloadFilter, defineKind, isOptionOn, itself } from './kind.ts';

/** The flags that select by status; a tentative appointment holds its time and counts as scheduled. */
const STATUS_FLAGS: Readonly<Record<string, readonly number[]>> = {
  Scheduled: [Status.Scheduled, Status.Tentative],
  Completed: [Status.Completed],
  Queued: [Status.Queued],
  Canceled: [Status.Canceled],
  Started: [Status.Started],
};

/** Whether the flag of the status is set; without any flag, all statuses but Canceled count. */
function hasRequestedStatus(status: number, filter: DownloadFilter): boolean {
  const requested = Object.entries(STATUS_FLAGS).filter(([flag]) => isOptionOn(filter, flag));
  return requested.length === 0
    ? status !== Status.Canceled
    : requested.some(([, statuses]) => statuses.includes(status));
}

const agentIds = ({ ServiceAgentId, AdditionalAgents }: AppointmentRecord): number[] =>
  [ServiceAgentId, ...AdditionalAgents.map((agent) => agent.ServiceAgentId)].filter(Boolean);

const MINUTE = 60_000;

const actualMinutes = ({ ActualStart, ActualFinish }: AppointmentRecord): number | null =>
  ActualStart === null || ActualFinish === null ? null : Math.round((ActualFinish - ActualStart) / MINUTE);

const completedAt = ({ Status: status, ActualFinish }: AppointmentRecord): number | null =>
  status === Status.Completed ? ActualFinish : null;

export const appointments = defineKind<AppointmentRecord, AppointmentRecord>({
  kind: 'appointments',
  rows: 'An appointment.',
  settings: 'Appointments',
  source: 'Appointment',
  entity: appointmentEntity,
  optionAttributes: { IncludeCustomFields: ['CustomProperties'] },
  moments: {
    Created: ({ Created }) => Created,
    Updated: ({ Updated }) => Updated,
    Date: (appointment) => appointmentDate(appointment, appointment.Zone),
    Completed: completedAt,
    Scheduled: ({ Start }) => Start,
    CompletedWithin: completedAt,
  },
  calendarDate: ({ Start, QueueDate }) => (Start === null ? QueueDate : ''),
  organizationOf: ({ OrganizationId }) => OrganizationId,
  contactIdOf: ({ ContactId }) => ContactId,
  selects: (appointment, filter) =>
    hasRequestedStatus(appointment.Status, filter) &&
    (filter.agentId === null || agentIds(appointment).includes(filter.agentId)),
  items: itself,
  ...recordColumns(
    appointmentEntity,
    [
      'Id',
      ...organizationColumns<AppointmentRecord>(),
      ...contactColumns<AppointmentRecord>(),
      column('text')('Status', ({ item }) => statusName(item.Status), 'Queued, Scheduled, Started, …'),
      'ServiceId',
      'ServiceName',
      'ServiceAgentId',
      'ServiceAgentName',
      column('text')(
        'AdditionalServiceAgents',
        ({ item }) => item.AdditionalAgents.map(({ Name }) => Name).join('; '),
        'names, separated by ; ',
      ),
      'Start',
      'Duration',
      'QueueDate',
      'ActualStart',
      'ActualFinish',
      column('integer')('ActualMinutes', ({ item }) => actualMinutes(item)),
      'Quantity',
      'Discount',
      'Total',
      'Tip',
      'InvoiceId',
      'ProposalId',
      'RootProposalId',
      'ReworkForAppointmentId',
      'CancelReasonId',
      'CallCenterTransactionId',
      'Shadow',
      column('integer')('FeedbackScore', ({ item }) => item.Feedback?.Score),
      column('text')('FeedbackNote', ({ item }) => item.Feedback?.Note),
      'DriveTimeMinutes',
      'Notes',
      'InternalNotes',
      'HashKey',
      'Created',
      'Updated',
    ],
    {
      reads: ['Status', 'Zone', 'AdditionalAgents', 'Feedback'],
      options: [
        column('list')(
          'CustomProperties',
          ({ item }) => item.CustomProperties,
          'the properties of the appointment by name',
          'IncludeCustomFields',
        ),
      ],
    },
  ),
  // An appointment's values are among its CustomProperties, by shortcode or name.
  custom: {
    table: 1,
    value: ({ item }, { Shortcode, Name }) => item.CustomProperties[Shortcode] ?? item.CustomProperties[Name],
  },
});
