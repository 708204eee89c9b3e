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
 * An additional agent of an appointment. Null minutes and durations default to those of the appointment, and so does a
 * Duration of 0, which older records have.
 */
export const additionalAgent = {
  ServiceAgentId: id(),
  Name: text(),
  /** Minutes after midnight in the organization's time zone. */
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
  /** The time of the first feedback, which can be replaced for 30 days. */
  At: moment({ required: true }),
};
export type Feedback = ObjectOf<typeof feedback>;

/**
 * The part of an appointment that a signed proposal sold: this many of its first add-ons and lines. Later additions
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

/** An add-on, as in the resource. */
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
 * An appointment as stored. Durations are in minutes; prices and lines are those of the booking. Leaving out the values
 * of absent fields keeps the item below a kilobyte, which saves a write unit per change.
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
    /** Null while the appointment is queued. */
    Start: moment({ nullable: true, required: true, download: 'ScheduledStart' }),
    Duration: number({ resource: true, download: 'DurationMinutes' }),
    /** The organization's time zone at the last change; events write moments in it. */
    Zone: text({ required: true }),
    /** 0 without an agent. Names are those at the last change. */
    ServiceAgentId: id({ absent: 0, resource: true, download: true }),
    ServiceAgentName: text({ download: true }),
    AdditionalAgents: listOf(additionalAgent),
    ServiceId: id({ absent: 0, resource: true, download: true }),
    ServiceName: text({ resource: true, download: true, personal: 'named' }),
    Quantity: decimal({ absent: 1, resource: true, download: true }),
    Discount: decimal({ nullable: true, resource: true, download: true }),
    Total: decimal({ resource: true, download: true }),
    AddOnParts: listOf(addOnPart, { resource: true, personal: 'named' }),
    /**
     * Total without tax, if there are no BilledLines. Null if the price has no tax, or was stored before this field
     * existed.
     */
    Subtotal: decimal({ nullable: true }),
    /**
     * The invoice lines of Total without tax, if it may be invoiced: because of IsMigrateInvoice, or for a proposal.
     */
    BilledLines: listOf(billedLine),
    /** Tax on the lines in percent, and its name. */
    BilledTaxRate: number(),
    BilledRateName: text(),
    BilledTaxParts: listOf(taxRatePart),
    /** `null` unless a signed proposal sold the appointment. */
    Sold: object(soldWork, { nullable: true }),
    /** Its location, for the drives before and after; null if unknown. */
    Position: object(
      { latitude: number({ required: true }), longitude: number({ required: true }) },
      { nullable: true },
    ),
    /**
     * Minutes before and after it that are reserved for its agents as well, from the service at the time of the
     * reservation.
     */
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
    /** The name of the reason at the time, the name of the key that canceled (or `Client page`), and when. */
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
    /**
     * The first visit of the series that a repeated booking made; 0 for other appointments, including subscription
     * visits.
     */
    SeriesId: id({ absent: 0, resource: true }),
    /** When a visit of a series was moved. Changes of the series that were requested earlier no longer move it. */
    MovedAt: moment({ nullable: true }),
    /** `""` unless it was queued. */
    QueueDate: date({ resource: true, download: true }),
    Demand: number({ nullable: true, resource: true }),
    CustomProperties: properties({ resource: true, personal: 'written' }),
    /** The task for the client's request for another time; later requests change it while it is open. */
    RequestTaskId: id({ nullable: true }),
    /** How often its links were revoked; absent until the first time. */
    LinksRevoked: number({ optional: true }),
    /** Set if a stranger booked it on a page: its pages show no stored data of the contact. */
    HidesContact: flag({ optional: true }),
    /** A keyed hash of the network from which a stranger booked on the booking page; `''` for other bookings. */
    Network: text({ personal: 'private' }),
    /** The window in which the client expects the agent; null means at Start. */
    ArrivalFrom: moment({ nullable: true, download: true }),
    ArrivalThrough: moment({ nullable: true, download: true }),
    /** Number of changes within its window that the client does not see, so that the calendar file stays the same. */
    UnseenChanges: number(),
    /**
     * Until when a stranger's booking waits for confirmation; `null` once confirmed, or if no confirmation is needed.
     */
    HeldUntil: moment({ nullable: true }),
    ...history,
  },
  { compact: true },
);
export type AppointmentRecord = RecordOf<typeof appointmentEntity>;

/** An entry in the list of unconfirmed visits: the visit is released at `At` unless it is confirmed. */
export const visitReleaseEntity = entity('VisitRelease', {
  Account: text({ required: true }),
  Id: id(),
  At: moment({ required: true }),
});

/** The appointment for a CallCenterTransactionId; those stored by earlier versions have no fingerprint. */
export const callCenterEntity = entity('CallCenter', {
  Id: id(),
  /** Fingerprint of the request that booked it. */
  Fingerprint: text({ optional: true }),
  Zone: text({ absent: 'UTC' }),
});
