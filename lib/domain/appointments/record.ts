import type { AddOnPart } from '../../resources/appointments.ts';
import { isEqual } from '../../shared/equality.ts';
import { toFriendly, toLocalDate } from '../../shared/time/format-moments.ts';
import { startOfDate } from '../../shared/time/zones.ts';
import type { BilledLine } from '../pricing/billed-lines.ts';
import type { Position } from '../postal/miles.ts';
import { Status } from './status.ts';

/**
 * Another agent of an appointment; null minutes and durations are those of the appointment, as is a Duration of 0,
 * which older records have.
 */
export interface AdditionalAgent {
  readonly ServiceAgentId: number;
  readonly Name: string;
  /** Minutes after midnight on the clock of the organization. */
  readonly StartMinute: number | null;
  readonly Duration: number | null;
  readonly ActualStartMinute: number | null;
  readonly ActualDuration: number | null;
}

export interface Feedback {
  readonly Score: number | null;
  readonly Positive: boolean | null;
  readonly Negative: boolean | null;
  readonly Note: string;
  readonly ContactMe: boolean;
  /** The moment of the first feedback, which can be replaced for 30 days. */
  readonly At: number;
}

/**
 * The part of an appointment that a signed proposal sold: the first so many of its add-ons and lines; later additions
 * follow them.
 */
interface SoldWork {
  readonly ProposalId: number;
  readonly AddOnParts: number;
  readonly BilledLines: number;
  readonly Total: number;
  /** Minutes. */
  readonly Duration: number;
}

/** Moments in milliseconds since 1970, durations in minutes; prices and lines are those of the booking. */
export interface AppointmentRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** See status.ts. */
  readonly Status: number;
  /** The public handle: 22 unguessable characters. */
  readonly HashKey: string;
  /** Null while it is queued. */
  readonly Start: number | null;
  readonly Duration: number;
  /** Time zone of the organization at the last change; events write moments in it. */
  readonly Zone: string;
  /** 0 without an agent; names are those at the last change. */
  readonly ServiceAgentId: number;
  readonly ServiceAgentName: string;
  readonly AdditionalAgents: readonly AdditionalAgent[];
  readonly ServiceId: number;
  readonly ServiceName: string;
  readonly Quantity: number;
  readonly Discount: number | null;
  readonly Total: number;
  readonly AddOnParts: readonly AddOnPart[];
  /** The invoice lines of Total without tax, if it may be invoiced: IsMigrateInvoice of the service, or a proposal. */
  readonly BilledLines: readonly BilledLine[];
  /** Percent of the tax on the lines, and its name. */
  readonly BilledTaxRate: number;
  readonly BilledRateName: string;
  /** `null` unless a signed proposal sold it. */
  readonly Sold: SoldWork | null;
  /** The address, for the drives before and after; null if unknown. */
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
  /** The sum of all tips. */
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

const DEFAULTS = {
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

export const blankAppointment = (
  input: Pick<AppointmentRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'HashKey' | 'Zone' | 'Created'> &
    Partial<AppointmentRecord>,
): AppointmentRecord => ({ Status: Status.Queued, Start: null, ...DEFAULTS, Updated: input.Created, V: 0, ...input });

/** Without default values: the item is then below a kilobyte, and every change costs a write unit less. */
export function compactAppointment(appointment: AppointmentRecord): Pick<AppointmentRecord, 'V'> {
  const { V, ...fields } = appointment;
  const defaults: Readonly<Record<string, unknown>> = DEFAULTS;
  const isDefault = (name: string, value: unknown) => Object.hasOwn(defaults, name) && isEqual(value, defaults[name]);
  return { ...Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDefault(name, value))), V };
}

/** The inverse of `compactAppointment`. */
export const expandAppointment = (compact: object): AppointmentRecord =>
  ({ ...DEFAULTS, ...compact }) as unknown as AppointmentRecord;

export const isOver = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Completed || status === Status.Canceled;

/** The start of an appointment, or of the day for which it is queued; null without either. */
export const appointmentDate = (
  { Start, QueueDate }: Pick<AppointmentRecord, 'Start' | 'QueueDate'>,
  zone: string,
): number | null => Start ?? (QueueDate ? startOfDate(QueueDate, zone) : null);

/** Without time and agents, for a date or else for the day of its former time. */
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
