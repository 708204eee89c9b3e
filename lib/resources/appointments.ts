import { Contact } from './contacts.ts';
import { decimal, described, dictionary, double, flag, id, int32, moment, nullable, text } from './fields.ts';
import { many, nested, resource, without, type Output } from './resource.ts';
import { ServiceAgent } from './service-agents.ts';

/** Why an appointment was canceled; the account has its own list. */
export const CancelReason = resource('CancelReason', () => ({ Id: id(), Reason: text(200) }));
export type CancelReason = Output<typeof CancelReason>;

/** A part done besides the service itself, as a line of an appointment. */
export const AddOnPart = resource('AddOnPart', () => ({
  Id: described(id(), 'The line; 0 until there is one.'),
  PartId: id(),
  Quantity: nullable(double()),
  UnitPrice: decimal(),
  UnitOfMeasure: text(50),
  RangePricing: nullable(flag()),
  Discount: nullable(decimal()),
  Name: text(200),
}));
export type AddOnPart = Output<typeof AddOnPart>;

/** An add-on that is asked for but no line yet, as slotsearch, book and queue take it; AddOnPart takes it too. */
export const AddOnPartReduced = resource('AddOnPartReduced', () => without(AddOnPart, 'Id'));
export type AddOnPartReduced = Output<typeof AddOnPartReduced>;

/** Another agent at an appointment; null minutes and durations are those of the appointment itself. */
export const AdditionalServiceAgent = resource('AdditionalServiceAgent', () => ({
  StartMinute: nullable(
    described(int32(0, 1439), 'Minutes after midnight of the day, in the time zone of the organization.'),
  ),
  Duration: nullable(described(int32(0), 'Minutes.')),
  ActualStartMinute: nullable(int32(0, 1439)),
  ActualDuration: nullable(int32(0)),
  ServiceAgent: nested(ServiceAgent),
}));
export type AdditionalServiceAgent = Output<typeof AdditionalServiceAgent>;

/** An appointment, or a time at which one could be (interface, section 6). Durations are minutes. */
export const AppointmentSlot = resource(
  'AppointmentSlot',
  () => ({
    ContactId: id(),
    AppointmentId: id(),
    DateTime: moment(),
    DateTimeFormatted: described(text(100), 'For people: Sun, Mar 8 2026 9:00 AM.'),
    ServiceAgentId: id(),
    Quantity: nullable(double()),
    Duration: nullable(described(int32(0), 'Minutes.')),
    ServiceAgentName: text(200),
    DurationFormatted: described(text(100), 'For people: 1 hr 30 min.'),
    ServiceId: nullable(id()),
    ServiceName: text(200),
    Discount: nullable(decimal()),
    Total: nullable(described(decimal(), 'What proposal/quote would give.')),
    NotificationUri: text(2048),
    TipUrl: text(2048),
    ThirdPartyUrl: text(2048),
    TrackingUrl: text(2048),
    ActualStart: moment(),
    ActualDuration: nullable(described(int32(0), 'Minutes.')),
    Status: nullable(described(int32(0, 5), '0 Queued, 1 Scheduled, 2 Started, 3 Completed, 4 Canceled, 5 Tentative.')),
    Shadow: nullable(
      described(flag(), 'A visit that follows from a recurring appointment and has not been touched by itself.'),
    ),
    DriveTimeMinutes: int32(0),
    DriveTimeWarning: described(flag(), 'The gap is under 10 minutes more than the drive.'),
    ProposalId: id(),
    RootProposalId: nullable(id()),
    ReworkForAppointmentId: nullable(id()),
    CancelReasonId: nullable(id()),
    AddOnParts: many(AddOnPart),
    CustomProperties: dictionary(),
    AdditionalServiceAgents: many(AdditionalServiceAgent),
    Contact: nested(Contact),
  }),
  { carriesResult: true },
);
export type AppointmentSlot = Output<typeof AppointmentSlot>;
