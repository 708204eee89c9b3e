import type { AddOnPart } from '../../resources/appointments.ts';
import { toFriendly, toLocalDate } from '../../shared/format-moments.ts';
import type { BilledLine } from '../pricing/billed-lines.ts';
import type { Position } from '../postal/miles.ts';
import { Status } from './status.ts';

/** Another agent at an appointment as it is kept; null minutes and durations are those of the appointment. */
export interface AdditionalAgent {
  readonly ServiceAgentId: number;
  readonly Name: string;
  /** Minutes after midnight of the day, of the clock of the organization. */
  readonly StartMinute: number | null;
  readonly Duration: number | null;
  readonly ActualStartMinute: number | null;
  readonly ActualDuration: number | null;
}

/** What a client said of an appointment; `At` is the first time, from which on it may be said otherwise for 30 days. */
export interface Feedback {
  readonly Score: number | null;
  readonly Positive: boolean | null;
  readonly Negative: boolean | null;
  readonly Note: string;
  readonly ContactMe: boolean;
  readonly At: number;
}

/** What of an appointment was sold with a signed proposal: the first so many of its add-ons and lines; more may be added to it. */
export interface SoldWork {
  readonly ProposalId: number;
  readonly AddOnParts: number;
  readonly BilledLines: number;
  readonly Total: number;
  /** Minutes. */
  readonly Duration: number;
}

/** An appointment as it is kept. Moments in milliseconds since 1970, durations in minutes; prices and lines are those of the booking. */
export interface AppointmentRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** See scheduling/lifecycle.ts. */
  readonly Status: number;
  /** The public handle: 22 unguessable characters. */
  readonly HashKey: string;
  /** Null while it is queued. */
  readonly Start: number | null;
  readonly Duration: number;
  /** Time zone of the organization at the time of the last change, in which events tell moments. */
  readonly Zone: string;
  /** 0 while nobody is named; the names are those of the last change. */
  readonly ServiceAgentId: number;
  readonly ServiceAgentName: string;
  readonly AdditionalAgents: readonly AdditionalAgent[];
  readonly ServiceId: number;
  readonly ServiceName: string;
  readonly Quantity: number;
  readonly Discount: number | null;
  readonly Total: number;
  readonly AddOnParts: readonly AddOnPart[];
  /** What Total is made of, taxes aside; only where an invoice may be made of it: a service that bills what is completed, or of a proposal. */
  readonly BilledLines: readonly BilledLine[];
  /** Percent, by which the lines are taxed, and what it is called. */
  readonly BilledTaxRate: number;
  readonly BilledRateName: string;
  /** `null` unless it is of what a signed proposal sold. */
  readonly Sold: SoldWork | null;
  /** Where it is, for the drives before and after; null where it is not known. */
  readonly Position: Position | null;
  readonly DriveTimeMinutes: number;
  readonly DriveTimeWarning: boolean;
  readonly Notes: string;
  readonly InternalNotes: string;
  readonly NotificationUri: string;
  readonly EnRouteUri: string;
  readonly ThirdPartyUrl: string;
  readonly ConfirmationUri: string;
  readonly NotificationOptions: readonly string[];
  readonly CallCenterTransactionId: number | null;
  readonly CancelReasonId: number | null;
  readonly ActualStart: number | null;
  readonly ActualFinish: number | null;
  /** All tips together; 0 for none. */
  readonly Tip: number;
  readonly Feedback: Feedback | null;
  readonly ProposalId: number;
  readonly RootProposalId: number | null;
  readonly InvoiceId: number;
  readonly ReworkForAppointmentId: number | null;
  readonly Shadow: boolean;
  /** `YYYY-MM-DD`, `""` unless it was queued. */
  readonly QueueDate: string;
  readonly Demand: number | null;
  readonly CustomProperties: Readonly<Record<string, unknown>>;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

/** What an appointment of which nothing is said has. */
const unsaid = {
  Duration: 0,
  ServiceAgentId: 0,
  ServiceAgentName: '',
  AdditionalAgents: [],
  ServiceId: 0,
  ServiceName: '',
  Quantity: 1,
  Discount: null,
  Total: 0,
  AddOnParts: [],
  BilledLines: [],
  BilledTaxRate: 0,
  BilledRateName: '',
  Sold: null,
  Position: null,
  DriveTimeMinutes: 0,
  DriveTimeWarning: false,
  Notes: '',
  InternalNotes: '',
  NotificationUri: '',
  EnRouteUri: '',
  ThirdPartyUrl: '',
  ConfirmationUri: '',
  NotificationOptions: [],
  CallCenterTransactionId: null,
  CancelReasonId: null,
  ActualStart: null,
  ActualFinish: null,
  Tip: 0,
  Feedback: null,
  ProposalId: 0,
  RootProposalId: null,
  InvoiceId: 0,
  ReworkForAppointmentId: null,
  Shadow: false,
  QueueDate: '',
  Demand: null,
  CustomProperties: {},
} as const satisfies Partial<AppointmentRecord>;

/** An appointment of which only what is given is known. */
export const blankAppointment = (
  input: Pick<AppointmentRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'HashKey' | 'Zone' | 'Created'> &
    Partial<AppointmentRecord>,
): AppointmentRecord => ({ Status: Status.Queued, Start: null, ...unsaid, Updated: input.Created, V: 0, ...input });

const isUnsaid = (name: string, value: unknown): boolean =>
  name in unsaid && JSON.stringify(value) === JSON.stringify(unsaid[name as keyof typeof unsaid]);

/** An appointment without what is not said of it: a kilobyte holds it then, and every change costs a write unit less. */
export const compactAppointment = (appointment: AppointmentRecord): Pick<AppointmentRecord, 'V'> =>
  Object.fromEntries(
    Object.entries(appointment).filter(([name, value]) => !isUnsaid(name, value)),
  ) as unknown as AppointmentRecord;

/** The appointment again, as it was. */
export const expandAppointment = (compact: object): AppointmentRecord =>
  ({ ...unsaid, ...compact }) as unknown as AppointmentRecord;

/** Whether nothing more is to be done about it. */
export const isOver = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Completed || status === Status.Canceled;

/** An appointment in the queue: without time and agents, for the day it was to be on unless said otherwise. */
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
  CancelReasonId: null,
});

/** The appointment with a note appended on a line of its own, with the time: `Sun, Mar 8 2026 9:00 AM: Gate is open.` */
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
