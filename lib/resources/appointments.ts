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

/** The list that slotsearch, book, update, cancel and find share. */
export const appointmentFields = () => ({
  AppointmentId: id(),
  ServiceName: described(text(200), 'Instead of ServiceId; case and accents do not count.'),
  ContactId: id(),
  ServiceId: id(),
  InvoiceId: id(),
  IncludeCompleted: described(flag(), 'Those that are Completed or Canceled too.'),
  IncludeContact: described(flag(), 'With the Contact of each.'),
  SearchDate: described(moment(), 'A date in the time zone of the organization.'),
  TargetDate: described(moment(), 'The first day; instead of SearchDate.'),
  Duration: described(text(80), 'Minutes (90), 1:30, 1h30m or PT1H30M; as the service says when not given.'),
  Quantity: double(),
  Discount: described(decimal(), 'Taken off the price.'),
  Timeframe: described(
    text(50),
    'Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00), or HH:MM-HH:MM.',
  ),
  SlotWindowDays: described(int32(1, 60), "The organization's SlotSearchWindowDays unless said otherwise."),
  Notes: text(),
  NotificationUri: described(
    text(2048),
    'Called when the appointment is booked, updated, moved, canceled or completed. https only.',
  ),
  EnRouteUri: described(text(2048), 'Called when it is Started. https only.'),
  ThirdPartyUrl: described(text(2048), 'Called at every change. https only.'),
  SkipConflictChecks: described(flag(), 'Books over other appointments, hours, categories, postal codes and driving.'),
  CallCenterTransactionId: described(int32(), 'The same again is the same appointment; 0 for none.'),
  Slots: described(many(AppointmentSlot, 1), 'The one chosen, as slotsearch returned it.'),
  AddOnParts: many(AddOnPart, 50),
  UpdateLines: described(flag(), 'AddOnParts are all there are from now on.'),
  NotificationOptions: list(text(100), 20),
  UpdateActuals: described(flag(), 'ActualStart makes it Started, ActualFinish Completed.'),
  ActualStart: datetime(),
  ActualFinish: datetime(),
  RootProposalId: id(),
  CancelReasonId: id(),
  UpdateNote: described(text(2000), 'Appended to Notes, with the time, on a line of its own.'),
});

/** What book, update and cancel answer: the appointment in Slots, and beside it what a slot has no field for. */
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
