import { billedLine } from './billed-lines.ts';
import { type RecordOf, entity } from './entity.ts';
import {
  type ObjectOf,
  date,
  flag,
  history,
  id,
  listOf,
  moment,
  number,
  object,
  properties,
  text,
  texts,
} from './fields.ts';

/**
 * Another agent of an appointment; null minutes and durations are those of the appointment, as is a Duration of 0,
 * which older records have.
 */
const additionalAgent = {
  ServiceAgentId: id(),
  Name: text(),
  /** Minutes after midnight on the clock of the organization. */
  StartMinute: number({ nullable: true }),
  Duration: number({ nullable: true }),
  ActualStartMinute: number({ nullable: true }),
  ActualDuration: number({ nullable: true }),
};
export type AdditionalAgent = ObjectOf<typeof additionalAgent>;

const feedback = {
  Score: number({ nullable: true }),
  Positive: flag({ nullable: true }),
  Negative: flag({ nullable: true }),
  Note: text(),
  ContactMe: flag(),
  /** The moment of the first feedback, which can be replaced for 30 days. */
  At: moment({ required: true }),
};
export type Feedback = ObjectOf<typeof feedback>;

/**
 * The part of an appointment that a signed proposal sold: the first so many of its add-ons and lines; later additions
 * follow them.
 */
const soldWork = {
  ProposalId: id(),
  AddOnParts: number(),
  BilledLines: number(),
  Total: number(),
  /** Minutes. */
  Duration: number(),
};

/** An add-on as the resource has it. */
const addOnPart = {
  Id: id({ absent: 0 }),
  PartId: id(),
  Quantity: number({ nullable: true }),
  UnitPrice: number(),
  UnitOfMeasure: text(),
  RangePricing: flag({ nullable: true }),
  Discount: number({ nullable: true }),
  Name: text(),
};

/**
 * An appointment as it is stored; durations in minutes, prices and lines those of the booking. Without the values of
 * absent fields the item is below a kilobyte, and every change costs a write unit less.
 */
export const appointmentEntity = entity(
  'Appointment',
  {
    Id: id({ resource: 'AppointmentId' }),
    OrganizationId: id(),
    ContactId: id({ resource: true }),
    /** See lib/domain/appointments/status.ts. */
    Status: number({ required: true, resource: true }),
    /** The public handle: 22 unguessable characters. */
    HashKey: text({ required: true, resource: true }),
    /** Null while it is queued. */
    Start: moment({ nullable: true, required: true }),
    Duration: number({ resource: true }),
    /** Time zone of the organization at the last change; events write moments in it. */
    Zone: text({ required: true }),
    /** 0 without an agent; names are those at the last change. */
    ServiceAgentId: id({ absent: 0, resource: true }),
    ServiceAgentName: text(),
    AdditionalAgents: listOf(additionalAgent),
    ServiceId: id({ absent: 0, resource: true }),
    ServiceName: text({ resource: true }),
    Quantity: number({ absent: 1, resource: true }),
    Discount: number({ nullable: true, resource: true }),
    Total: number({ resource: true }),
    AddOnParts: listOf(addOnPart, { resource: true }),
    /** The invoice lines of Total without tax, if it may be invoiced: by IsMigrateInvoice, or for a proposal. */
    BilledLines: listOf(billedLine),
    /** Percent of the tax on the lines, and its name. */
    BilledTaxRate: number(),
    BilledRateName: text(),
    /** `null` unless a signed proposal sold it. */
    Sold: object(soldWork, { nullable: true }),
    /** Where it is, for the drives before and after; null if unknown. */
    Position: object(
      { latitude: number({ required: true }), longitude: number({ required: true }) },
      { nullable: true },
    ),
    DriveTimeMinutes: number({ resource: true }),
    DriveTimeWarning: flag({ resource: true }),
    Notes: text({ resource: true }),
    InternalNotes: text({ resource: true }),
    NotificationUri: text({ resource: true }),
    EnRouteUri: text({ resource: true }),
    ThirdPartyUrl: text({ resource: true }),
    ConfirmationUri: text({ resource: true }),
    NotificationOptions: texts({ resource: true }),
    CallCenterTransactionId: number({ nullable: true }),
    CancelReasonId: id({ nullable: true, resource: true }),
    ActualStart: moment({ nullable: true }),
    ActualFinish: moment({ nullable: true, resource: true }),
    /** The sum of all tips. */
    Tip: number({ resource: true }),
    Feedback: object(feedback, { nullable: true }),
    ProposalId: id({ absent: 0, resource: true }),
    RootProposalId: id({ nullable: true, resource: true }),
    InvoiceId: id({ absent: 0, resource: true }),
    ReworkForAppointmentId: id({ nullable: true, resource: true }),
    Shadow: flag({ resource: true }),
    /** `""` unless it was queued. */
    QueueDate: date({ resource: true }),
    Demand: number({ nullable: true, resource: true }),
    CustomProperties: properties({ resource: true }),
    /** How often its links were revoked; absent before the first time. */
    LinksRevoked: number({ optional: true }),
    ...history,
  },
  { compact: true },
);
export type AppointmentRecord = RecordOf<typeof appointmentEntity>;
