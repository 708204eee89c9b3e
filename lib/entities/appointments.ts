import * as contract from '../resources/fields.ts';
import type { Input, Output } from '../resources/fields.ts';
import { CLIENT_LINK } from '../resources/sentences.ts';
import { Contact } from './contacts.ts';
import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  code,
  date,
  decimal,
  flag,
  given,
  history,
  id,
  listOf,
  localTime,
  moment,
  number,
  object,
  properties,
  quantity,
  text,
  texts,
} from './declaration/fields.ts';
import { reducedOf, resourceOf } from './declaration/resource.ts';
import { billedLine } from './invoices.ts';
import { ServiceAgent } from './service-agents.ts';
import { taxRatePart } from './tax-rates.ts';

/** The words of Status (interface, section 6). */
export const APPOINTMENT_STATUSES = ['Queued', 'Scheduled', 'Started', 'Completed', 'Canceled', 'Tentative'] as const;

/**
 * An additional agent of an appointment. Null minutes and durations default to those of the appointment, and so does a
 * Duration of 0, which older records have.
 */
export const additionalAgent = {
  ServiceAgentId: id(),
  Name: text(),
  StartMinute: number({
    min: 0,
    max: 1439,
    nullable: true,
    resource: true,
    description: "Minutes after midnight in the organization's time zone.",
  }),
  Duration: number({ min: 0, nullable: true, resource: true, description: 'Minutes.' }),
  ActualStartMinute: number({ min: 0, max: 1439, nullable: true, resource: true }),
  ActualDuration: number({ min: 0, nullable: true, resource: true }),
  ServiceAgent: given(),
};
export type AdditionalAgent = ObjectOf<typeof additionalAgent>;

export const feedback = {
  Score: number({ min: 0, max: 10, nullable: true, resource: true }),
  Positive: flag({ nullable: true, resource: true }),
  Negative: flag({ nullable: true, resource: true }),
  Note: text({ resource: true, personal: 'written' }),
  ContactMe: flag({ resource: true, personal: 'private' }),
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

/** A part in addition to the service, as a line of an appointment. */
const addOnPart = {
  Id: id({ absent: 0, resource: true, description: 'The id of the line; 0 before it is stored.' }),
  PartId: id({ resource: true }),
  Quantity: quantity({ nullable: true, resource: true }),
  UnitPrice: decimal({ resource: true }),
  UnitOfMeasure: text({ max: 50, resource: true }),
  RangePricing: flag({ nullable: true, resource: true }),
  Discount: decimal({ nullable: true, resource: true }),
  Name: text({ max: 200, resource: true }),
};

/**
 * An appointment as stored. Durations are in minutes; prices and lines are those of the booking. Leaving out the values
 * of absent fields keeps the item below a kilobyte, which saves a write unit per change. A slot, which is an
 * appointment or a free time for one, has its fields through Contact.
 */
export const appointmentEntity = entity(
  'Appointment',
  {
    ContactId: id({ resource: true }),
    Id: id({ resource: 'AppointmentId', readOnly: true, download: true }),
    DateTime: given(localTime()),
    DateTimeFormatted: given(
      text({
        max: 100,
        readOnly: true,
        description:
          'For display: Sun, Mar 8 2026 9:00 AM, or with its arrival window Sun, Mar 8 2026 8:00 AM to 10:00 AM.',
      }),
    ),
    /** 0 without an agent. Names are those at the last change. */
    ServiceAgentId: id({ absent: 0, resource: true, download: true }),
    Quantity: quantity({ absent: 1, resource: true, shownNullable: true, download: true }),
    Duration: number({
      min: 0,
      resource: true,
      shownNullable: true,
      download: 'DurationMinutes',
      description: 'Minutes.',
    }),
    ServiceAgentName: text({ max: 200, resource: true, readOnly: true, download: true }),
    DurationFormatted: given(text({ max: 100, readOnly: true, description: 'For display: 1 hr 30 min.' })),
    ServiceId: id({ absent: 0, resource: true, shownNullable: true, download: true }),
    ServiceName: text({ max: 200, resource: true, readOnly: true, download: true, personal: 'named' }),
    Discount: decimal({ nullable: true, resource: true, download: true }),
    Total: decimal({
      resource: true,
      shownNullable: true,
      readOnly: true,
      download: true,
      description: 'The total that proposal/quote returns.',
    }),
    NotificationUri: text({ max: 2048, resource: true, personal: 'private' }),
    TipUrl: given(
      text({
        max: 2048,
        readOnly: true,
        description: `Page for the client's feedback, once it is Completed. ${CLIENT_LINK}`,
      }),
    ),
    ThirdPartyUrl: text({ max: 2048, resource: true, personal: 'private' }),
    TrackingUrl: given(
      text({ max: 2048, readOnly: true, description: `Page on which the client follows the visit. ${CLIENT_LINK}` }),
    ),
    ActualStart: moment({ nullable: true, readOnly: true, download: true }),
    ActualDuration: given(number({ min: 0, nullable: true, readOnly: true, description: 'Minutes.' })),
    /** See lib/domain/appointments/record.ts. */
    Status: code(APPOINTMENT_STATUSES, { required: true, resource: true, shownNullable: true }),
    Shadow: flag({
      resource: true,
      shownNullable: true,
      download: true,
      description: 'A visit generated from a recurring appointment and not changed since.',
    }),
    DriveTimeMinutes: number({ min: 0, resource: true, readOnly: true, download: true }),
    DriveTimeWarning: flag({
      resource: true,
      readOnly: true,
      description: 'The drive leaves less than 10 minutes of the gap.',
    }),
    ProposalId: id({ absent: 0, resource: true, download: true }),
    RootProposalId: id({ nullable: true, resource: true, download: true }),
    ReworkForAppointmentId: id({ nullable: true, resource: true, download: true }),
    CancelReasonId: id({ nullable: true, resource: true, readOnly: true, download: true }),
    CancelReason: text({
      max: 200,
      resource: true,
      readOnly: true,
      extension: true,
      download: true,
      description: 'The name of the reason when it was canceled.',
    }),
    CanceledBy: text({
      resource: true,
      readOnly: true,
      extension: true,
      download: true,
      description: 'The name of the key that canceled it, or Client page.',
    }),
    CanceledAt: moment({ nullable: true, readOnly: true, download: true }),
    /**
     * Until when a stranger's booking waits for confirmation; `null` once confirmed, or if no confirmation is needed.
     */
    HeldUntil: moment({ nullable: true, readOnly: true }),
    /** The window in which the client expects the agent; null means at Start. */
    ArrivalFrom: moment({ nullable: true, download: true }),
    ArrivalThrough: moment({ nullable: true, download: true }),
    Capacity: given(
      number({
        min: 1,
        nullable: true,
        readOnly: true,
        extension: true,
        description: 'How many visits the agent can begin in the arrival window; only in a search.',
      }),
    ),
    InternalNotes: text({ resource: true, readOnly: true, download: true, personal: 'written' }),
    /**
     * The first visit of the series that a repeated booking made; 0 for other appointments, including subscription
     * visits.
     */
    SeriesId: id({
      absent: 0,
      resource: true,
      readOnly: true,
      extension: true,
      description: 'The AppointmentId of the first visit of its series; 0 without Repeat.',
    }),
    SeriesRule: text({
      max: 200,
      resource: true,
      readOnly: true,
      extension: true,
      description:
        'The rule of a series or subscription by days of the week, an RRULE of RFC 5545: FREQ=WEEKLY;BYDAY=MO,WE,FR.',
    }),
    AddOnParts: listOf(addOnPart, { resource: true, personal: 'named' }),
    CustomProperties: properties({ resource: true, personal: 'written' }),
    AdditionalServiceAgents: given(),
    Contact: given(),
    /** The public handle: 22 unguessable characters. */
    HashKey: text({
      required: true,
      resource: true,
      download: true,
      description: 'The public handle of the appointment, for appointments/feedback.',
    }),
    Notes: text({ resource: true, download: true, personal: 'written' }),
    EnRouteUri: text({ max: 2048, resource: true, personal: 'private' }),
    ConfirmationUri: text({ max: 2048, resource: true, personal: 'private' }),
    NotificationOptions: texts({ resource: true, personal: 'private' }),
    /** `""` unless it was queued. */
    QueueDate: date({ resource: true, download: true }),
    Demand: number({ nullable: true, resource: true }),
    InvoiceId: id({ absent: 0, resource: true, download: true }),
    ActualFinish: moment({ nullable: true, download: true }),
    /** The sum of all tips. */
    Tip: decimal({ resource: true, download: true }),
    Feedback: object(feedback, { nullable: true }),
    OrganizationId: id(),
    /** Null while the appointment is queued. */
    Start: moment({ nullable: true, required: true, download: 'ScheduledStart' }),
    /** The organization's time zone at the last change; events write moments in it. */
    Zone: text({ required: true }),
    AdditionalAgents: listOf(additionalAgent),
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
    CallCenterTransactionId: number({ nullable: true, download: true }),
    /** When a visit of a series was moved. Changes of the series that were requested earlier no longer move it. */
    MovedAt: moment({ nullable: true }),
    /** The task for the client's request for another time; later requests change it while it is open. */
    RequestTaskId: id({ nullable: true }),
    /** How often its links were revoked; absent until the first time. */
    LinksRevoked: number({ optional: true }),
    /** Set if a stranger booked it on a page: its pages show no stored data of the contact. */
    HidesContact: flag({ optional: true }),
    /** A keyed hash of the network from which a stranger booked on the booking page; `''` for other bookings. */
    Network: text({ personal: 'private' }),
    /** Number of changes within its window that the client does not see, so that the calendar file stays the same. */
    UnseenChanges: number(),
    ...history,
  },
  { compact: true },
);
export type AppointmentRecord = RecordOf<typeof appointmentEntity>;

export const AddOnPart = /* @__PURE__ */ resourceOf({ name: 'AddOnPart', declared: addOnPart });
export type AddOnPart = Output<typeof AddOnPart>;

/** A requested add-on without a line, for slotsearch, book and queue; AddOnPart is accepted too. */
export const AddOnPartReduced = /* @__PURE__ */ reducedOf(AddOnPart, { title: 'AddOnPartReduced', without: ['Id'] });

/** Another agent of an appointment. */
export const AdditionalServiceAgent = /* @__PURE__ */ resourceOf(
  { name: 'AdditionalServiceAgent', declared: additionalAgent },
  {},
  () => ({ ServiceAgent: contract.nested(ServiceAgent) }),
);
export type AdditionalServiceAgent = Output<typeof AdditionalServiceAgent>;

export const AppointmentFeedback = /* @__PURE__ */ resourceOf(
  { name: 'AppointmentFeedback', declared: feedback },
  {},
  () => ({ At: contract.localTime() }),
);

/** An appointment in query and its events: a slot with the fields that other operations return next to it. */
export const Appointment = /* @__PURE__ */ resourceOf(appointmentEntity, { computed: ['Contact'] }, () => ({
  ActualStart: contract.localTime(),
  CanceledAt: contract.extension(contract.nullable(contract.localTime())),
  HeldUntil: contract.extension(
    contract.described(
      contract.nullable(contract.localTime()),
      'When a Tentative visit that a stranger booked is released, unless it is confirmed.',
    ),
  ),
  ArrivalFrom: contract.extension(
    contract.described(
      contract.nullable(contract.localTime()),
      'The arrival window that the client sees in place of DateTime; null for an exact time.',
    ),
  ),
  ArrivalThrough: contract.extension(contract.nullable(contract.localTime())),
  AddOnParts: contract.many(AddOnPart, 500),
  AdditionalServiceAgents: contract.many(AdditionalServiceAgent, 20),
  Contact: contract.nested(Contact),
  ActualFinish: contract.nullable(contract.localTime()),
  Feedback: contract.nested(AppointmentFeedback),
}));
export type Appointment = Output<typeof Appointment>;

/** An appointment, or a free time for one (interface, section 6). Durations are in minutes. */
export const AppointmentSlot = /* @__PURE__ */ reducedOf(
  Appointment,
  {
    title: 'AppointmentSlot',
    without: [
      'HashKey',
      'Notes',
      'EnRouteUri',
      'ConfirmationUri',
      'NotificationOptions',
      'QueueDate',
      'Demand',
      'InvoiceId',
      'ActualFinish',
      'Tip',
      'Feedback',
    ],
    carriesResult: true,
  },
  () => ({
    InternalNotes: contract.extension(contract.described(contract.text(), 'Of the office, which clients do not see.')),
  }),
);
export type AppointmentSlot = Output<typeof AppointmentSlot>;
export type SlotInput = Input<typeof AppointmentSlot>;

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
