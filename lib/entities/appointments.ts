import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  date,
  decimal,
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
} from './declaration/fields.ts';
import { billedLine } from './invoices.ts';
import { taxRatePart } from './tax-parts.ts';

/**
 * Another agent of an appointment; null minutes and durations are those of the appointment, as is a Duration of 0,
 * which older records have.
 */
export const additionalAgent = {
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
  Note: text({ personal: 'written' }),
  ContactMe: flag({ personal: 'private' }),
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
    Id: id({ resource: 'AppointmentId', download: true }),
    OrganizationId: id(),
    ContactId: id({ resource: true }),
    /** See lib/domain/appointments/record.ts. */
    Status: number({ required: true, resource: true }),
    /** The public handle: 22 unguessable characters. */
    HashKey: text({ required: true, resource: true, download: true }),
    /** Null while it is queued. */
    Start: moment({ nullable: true, required: true, download: 'ScheduledStart' }),
    Duration: number({ resource: true, download: 'DurationMinutes' }),
    /** Time zone of the organization at the last change; events write moments in it. */
    Zone: text({ required: true }),
    /** 0 without an agent; names are those at the last change. */
    ServiceAgentId: id({ absent: 0, resource: true, download: true }),
    ServiceAgentName: text({ download: true }),
    AdditionalAgents: listOf(additionalAgent),
    ServiceId: id({ absent: 0, resource: true, download: true }),
    ServiceName: text({ resource: true, download: true, personal: 'named' }),
    Quantity: decimal({ absent: 1, resource: true, download: true }),
    Discount: decimal({ nullable: true, resource: true, download: true }),
    Total: decimal({ resource: true, download: true }),
    AddOnParts: listOf(addOnPart, { resource: true, personal: 'named' }),
    /** Total without tax, where there are no BilledLines; null where the price has no tax, or before it was stored. */
    Subtotal: decimal({ nullable: true }),
    /** The invoice lines of Total without tax, if it may be invoiced: by IsMigrateInvoice, or for a proposal. */
    BilledLines: listOf(billedLine),
    /** Percent of the tax on the lines, and its name. */
    BilledTaxRate: number(),
    BilledRateName: text(),
    BilledTaxParts: listOf(taxRatePart),
    /** `null` unless a signed proposal sold it. */
    Sold: object(soldWork, { nullable: true }),
    /** Where it is, for the drives before and after; null if unknown. */
    Position: object(
      { latitude: number({ required: true }), longitude: number({ required: true }) },
      { nullable: true },
    ),
    /** Minutes around it that are reserved of its agents besides: those of its service when its time was reserved. */
    BufferBefore: number(),
    BufferAfter: number(),
    DriveTimeMinutes: number({ resource: true, download: true }),
    DriveTimeWarning: flag({ resource: true }),
    Notes: text({ resource: true, download: true, personal: 'written' }),
    InternalNotes: text({ resource: true, download: true, personal: 'written' }),
    NotificationUri: text({ resource: true, personal: 'private' }),
    EnRouteUri: text({ resource: true, personal: 'private' }),
    ThirdPartyUrl: text({ resource: true, personal: 'private' }),
    ConfirmationUri: text({ resource: true, personal: 'private' }),
    NotificationOptions: texts({ resource: true, personal: 'private' }),
    CallCenterTransactionId: number({ nullable: true, download: true }),
    CancelReasonId: id({ nullable: true, resource: true, download: true }),
    /** The reason as it was named then, the name of the key that canceled, or `Client page`, and when. */
    CancelReason: text({ resource: true, download: true }),
    CanceledBy: text({ resource: true, download: true }),
    CanceledAt: moment({ nullable: true, download: true }),
    ActualStart: moment({ nullable: true, download: true }),
    ActualFinish: moment({ nullable: true, download: true }),
    /** The sum of all tips. */
    Tip: decimal({ resource: true, download: true }),
    Feedback: object(feedback, { nullable: true }),
    ProposalId: id({ absent: 0, resource: true, download: true }),
    RootProposalId: id({ nullable: true, resource: true, download: true }),
    InvoiceId: id({ absent: 0, resource: true, download: true }),
    ReworkForAppointmentId: id({ nullable: true, resource: true, download: true }),
    Shadow: flag({ resource: true, download: true }),
    /** The first visit of the series that a repeated booking made; 0 for others, those of subscriptions among them. */
    SeriesId: id({ absent: 0, resource: true }),
    /** When a visit of a series was moved; a change of the series before that does not move it any more. */
    MovedAt: moment({ nullable: true }),
    /** `""` unless it was queued. */
    QueueDate: date({ resource: true, download: true }),
    Demand: number({ nullable: true, resource: true }),
    CustomProperties: properties({ resource: true, personal: 'written' }),
    /** The task of its client's request for another time, which a later request changes while it is open. */
    RequestTaskId: id({ nullable: true }),
    /** How often its links were revoked; absent before the first time. */
    LinksRevoked: number({ optional: true }),
    /** A stranger booked it on a page: its pages show nothing that is stored of the contact. */
    HidesContact: flag({ optional: true }),
    /** A keyed hash of the network from which a stranger booked it on the booking page; `''`: no stranger did. */
    Network: text({ personal: 'private' }),
    /** The window in which its client expects the agent; null: at Start. */
    ArrivalFrom: moment({ nullable: true, download: true }),
    ArrivalThrough: moment({ nullable: true, download: true }),
    /** Changes within its window of which the client sees nothing, so that its calendar file stays what it was. */
    UnseenChanges: number(),
    /** Until when a visit that a stranger booked waits to be confirmed; `null` once it is, or where nobody waits. */
    HeldUntil: moment({ nullable: true }),
    ...history,
  },
  { compact: true },
);
export type AppointmentRecord = RecordOf<typeof appointmentEntity>;

/** An entry of the list of visits that wait to be confirmed: this one is released at `At` unless it is. */
export const visitReleaseEntity = entity('VisitRelease', {
  Account: text({ required: true }),
  Id: id(),
  At: moment({ required: true }),
});

/** The appointment of a CallCenterTransactionId; those of earlier versions have no fingerprint. */
export const callCenterEntity = entity('CallCenter', {
  Id: id(),
  /** Of the request that booked it. */
  Fingerprint: text({ optional: true }),
  Zone: text({ absent: 'UTC' }),
});
