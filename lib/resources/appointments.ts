import { Contact } from './contacts.ts';
import {
  datetime,
  decimal,
  described,
  dictionary,
  double,
  flag,
  id,
  int32,
  list,
  moment,
  nullable,
  text,
} from './fields.ts';
import { ServiceAgent } from './organizations.ts';
import { type Output, many, nested, resource, without } from './resource.ts';

export const CancelReason = resource('CancelReason', () => ({ Id: id(), Reason: text(200) }));
export type CancelReason = Output<typeof CancelReason>;

/** A part in addition to the service, as a line of an appointment. */
export const AddOnPart = resource('AddOnPart', () => ({
  Id: described(id(), 'The id of the line; 0 before it is stored.'),
  PartId: id(),
  Quantity: nullable(double()),
  UnitPrice: decimal(),
  UnitOfMeasure: text(50),
  RangePricing: nullable(flag()),
  Discount: nullable(decimal()),
  Name: text(200),
}));
export type AddOnPart = Output<typeof AddOnPart>;

/** A requested add-on without a line, for slotsearch, book and queue; AddOnPart is accepted too. */
export const AddOnPartReduced = resource('AddOnPartReduced', () => without(AddOnPart, 'Id'));

/** Another agent of an appointment; null minutes and durations default to those of the appointment. */
export const AdditionalServiceAgent = resource('AdditionalServiceAgent', () => ({
  StartMinute: nullable(described(int32(0, 1439), "Minutes after midnight in the organization's time zone.")),
  Duration: nullable(described(int32(0), 'Minutes.')),
  ActualStartMinute: nullable(int32(0, 1439)),
  ActualDuration: nullable(int32(0)),
  ServiceAgent: nested(ServiceAgent),
}));
export type AdditionalServiceAgent = Output<typeof AdditionalServiceAgent>;

/** An appointment, or a free time for one (interface, section 6). Durations are minutes. */
export const AppointmentSlot = resource(
  'AppointmentSlot',
  () => ({
    ContactId: id(),
    AppointmentId: id(),
    DateTime: moment(),
    DateTimeFormatted: described(text(100), 'For display: Sun, Mar 8 2026 9:00 AM.'),
    ServiceAgentId: id(),
    Quantity: nullable(double()),
    Duration: nullable(described(int32(0), 'Minutes.')),
    ServiceAgentName: text(200),
    DurationFormatted: described(text(100), 'For display: 1 hr 30 min.'),
    ServiceId: nullable(id()),
    ServiceName: text(200),
    Discount: nullable(decimal()),
    Total: nullable(described(decimal(), 'The total that proposal/quote returns.')),
    NotificationUri: text(2048),
    TipUrl: text(2048),
    ThirdPartyUrl: text(2048),
    TrackingUrl: text(2048),
    ActualStart: moment(),
    ActualDuration: nullable(described(int32(0), 'Minutes.')),
    Status: nullable(described(int32(0, 5), '0 Queued, 1 Scheduled, 2 Started, 3 Completed, 4 Canceled, 5 Tentative.')),
    Shadow: nullable(described(flag(), 'A visit generated from a recurring appointment and not changed since.')),
    DriveTimeMinutes: int32(0),
    DriveTimeWarning: described(flag(), 'The drive leaves less than 10 minutes of the gap.'),
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

/** The request fields that slotsearch, book, update, cancel and find share. */
export const appointmentFields = () => ({
  AppointmentId: id(),
  ServiceName: described(text(200), 'Instead of ServiceId; case and accents are ignored.'),
  ContactId: id(),
  ServiceId: id(),
  InvoiceId: id(),
  IncludeCompleted: described(flag(), 'Includes Completed and Canceled appointments.'),
  IncludeContact: described(flag(), 'Includes the Contact of each appointment.'),
  SearchDate: described(moment(), "A date in the organization's time zone."),
  TargetDate: described(moment(), 'The first day to search; used instead of SearchDate.'),
  Duration: described(text(80), 'Minutes (90), 1:30, 1h30m or PT1H30M; defaults to the duration of the service.'),
  Quantity: double(),
  Discount: described(decimal(), 'Subtracted from the price.'),
  Timeframe: described(
    text(50),
    'Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00), or HH:MM-HH:MM.',
  ),
  SlotWindowDays: described(int32(1, 60), "Days to search; defaults to the organization's SlotSearchWindowDays."),
  Notes: text(),
  NotificationUri: described(
    text(2048),
    'Called when the appointment is booked, updated, rescheduled, canceled or completed. https only.',
  ),
  EnRouteUri: described(text(2048), 'Called when the appointment is Started. https only.'),
  ThirdPartyUrl: described(text(2048), 'Called on every change. https only.'),
  SkipConflictChecks: described(
    flag(),
    'Skips the checks of other appointments, hours, categories, postal codes and drives.',
  ),
  CallCenterTransactionId: described(int32(), 'A repeated id returns the same appointment; 0 means no id.'),
  Slots: described(many(AppointmentSlot, 1), 'The requested slot, as slotsearch returned it.'),
  AddOnParts: many(AddOnPart, 50),
  UpdateLines: described(flag(), 'Replaces all add-on lines with AddOnParts.'),
  NotificationOptions: list(text(100), 20),
  UpdateActuals: described(flag(), 'ActualStart sets the status to Started, ActualFinish to Completed.'),
  ActualStart: datetime(),
  ActualFinish: datetime(),
  RootProposalId: id(),
  CancelReasonId: id(),
  UpdateNote: described(text(2000), 'Appended to Notes on its own line, with the time.'),
});

/** The answer of book, update and cancel: the appointment in Slots, and the fields that a slot does not have. */
export const appointmentAnswer = () => ({
  AppointmentId: id(),
  ContactId: id(),
  InvoiceId: id(),
  Notes: text(),
  EnRouteUri: text(2048),
  NotificationOptions: list(text(100)),
  ActualStart: nullable(datetime()),
  ActualFinish: nullable(datetime()),
  CancelReasonId: id(),
  CallCenterTransactionId: nullable(int32()),
  Slots: many(AppointmentSlot),
});
