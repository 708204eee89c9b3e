import { AddOnPart, AppointmentSlot } from '../entities/appointments.ts';
import { Contact } from '../entities/contacts.ts';
import { pick } from '../shared/objects.ts';
import { CustomField } from './custom-fields.ts';
import {
  type FieldsInput,
  type Output,
  date,
  moment,
  decimal,
  described,
  extension,
  flag,
  id,
  int32,
  list,
  many,
  localTime,
  nullable,
  numericText,
  phone,
  quantity,
  required,
  resource,
  text,
  numbered,
  word,
} from './fields.ts';

export const CancelReason = resource('CancelReason', () => ({ Id: id(), Reason: text(200) }));
export type CancelReason = Output<typeof CancelReason>;

const transactionId = () =>
  described(
    int32(),
    'A repeat of the request returns the first appointment; another request with the same id is 409. 0 means no id.',
  );

/** The request fields that slotsearch, book, update, cancel and find share. */
export const appointmentFields = () => ({
  AppointmentId: id(),
  ServiceName: described(text(200), 'Instead of ServiceId; case and accents are ignored.'),
  ContactId: id(),
  ServiceId: id(),
  InvoiceId: id(),
  IncludeCompleted: described(flag(), 'Includes Completed and Canceled appointments.'),
  IncludeContact: described(flag(), 'Includes the Contact of each appointment.'),
  SearchDate: described(localTime(), "A date in the organization's time zone."),
  TargetDate: described(localTime(), 'The first day to search; used instead of SearchDate.'),
  Duration: described(
    numericText(80),
    'Minutes (90), 1:30, 1h30m or PT1H30M; defaults to the duration of the service.',
  ),
  Quantity: quantity(),
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
    'Skips the checks of other appointments, hours, categories, postal codes and drives, and allows a start in the ' +
      'past.',
  ),
  CallCenterTransactionId: transactionId(),
  Slots: described(many(AppointmentSlot, 1), 'The requested slot, as slotsearch returned it.'),
  AddOnParts: many(AddOnPart, 50),
  UpdateLines: described(flag(), 'Replaces all add-on lines with AddOnParts.'),
  NotificationOptions: described(
    list(text(100), 20),
    'Which messages the client gets about the visit: Email, Text (or sms), None, or names of messages such as ' +
      'Reminder, in any case of letters. An empty list is the setting of the company.',
  ),
  UpdateActuals: described(flag(), 'ActualStart sets the status to Started, ActualFinish to Completed.'),
  ActualStart: moment(),
  ActualFinish: moment(),
  RootProposalId: id(),
  CancelReasonId: id(),
  UpdateNote: described(text(2000), 'Appended to Notes on its own line, with the time.'),
});
export type AppointmentInput = FieldsInput<ReturnType<typeof appointmentFields>>;

/** A slot that is held until somebody books it with the handle, or until `Until`. */
export const SlotHold = resource('SlotHold', () => ({
  Handle: described(text(40), 'For HoldHandle of appointments/book, quickbook and update.'),
  DateTime: localTime(),
  ServiceAgentId: id(),
  Until: described(moment(), 'The hold is over at this second.'),
}));
export type SlotHold = Output<typeof SlotHold>;

export const MAX_HOLDS = 20;
export const MAX_HOLD_MINUTES = 10;

/**
 * The location of a visitor who is not a contact yet, with the field names of quickbook. Only the postal code matters.
 */
const visitorFields = () => {
  const { Zip, Address1, Address2, City, State, Country } = Contact.shape();
  return {
    Zip: extension(described(Zip, 'Of a visitor who is no contact yet: the drives are to the centre of this code.')),
    Address1: extension(Address1),
    Address2: extension(Address2),
    City: extension(City),
    State: extension(State),
    Country: extension(Country),
  };
};

/** The request fields of slotsearch. */
export const slotSearchFields = () => ({
  ...appointmentFields(),
  ...visitorFields(),
  Hold: extension(
    described(
      int32(0, MAX_HOLDS),
      `Holds so many of the slots, of different starts, or Slots[0] if it has DateTime. A key holds at most ` +
        `${MAX_HOLDS} at the same time.`,
    ),
  ),
  HoldMinutes: extension(
    described(int32(1, MAX_HOLD_MINUTES), `How long Hold holds them; ${MAX_HOLD_MINUTES} by default.`),
  ),
  Release: extension(
    described(list(text(40), MAX_HOLDS), 'Handles of holds of the key that end now, before the search.'),
  ),
});
export type SlotSearchInput = FieldsInput<ReturnType<typeof slotSearchFields>>;

const holdHandle = () =>
  extension(
    described(
      text(40),
      'The Handle of a hold of slotsearch: the appointment takes its place. One that is over is ignored.',
    ),
  );

/** What book and update take in addition to the fields shared by the appointment operations. */
export const bookingFields = () => ({
  ...appointmentFields(),
  Holds: extension(many(SlotHold, MAX_HOLDS)),
  HoldHandle: holdHandle(),
});
export type BookInput = FieldsInput<ReturnType<typeof bookingFields>>;

/** Which visits of a series a change applies to. */
export const scopeField = () =>
  extension(
    described(
      numbered(['this', 'following']),
      'following: also the later visits of its series, in the background; this by default.',
    ),
  );

/** What a change relies on. */
export const expectedFields = () => ({
  ExpectedDateTime: extension(
    described(
      localTime(),
      'The DateTime that the caller saw: 409 if the appointment has another one since, or is canceled.',
    ),
  ),
  ExpectedServiceAgentId: extension(
    described(id(), 'The ServiceAgentId that the caller saw: 409 if the appointment has another agent since.'),
  ),
});
export type ExpectedInput = FieldsInput<ReturnType<typeof expectedFields>>;
export type UpdateInput = BookInput & ExpectedInput;
export type CancelInput = AppointmentInput & ExpectedInput;

/** A series has no more visits than a year has days. */
export const MAX_SERIES = 366;

/** What book takes in addition: how the appointment is repeated. */
export const repeatFields = () => ({
  Repeat: extension(
    described(
      numbered(['daily', 'weekly', 'monthly', 'yearly']),
      'How the appointment repeats, with Count or Through; by default the interval of the service.',
    ),
  ),
  Days: extension(
    described(
      list(text(20), 7),
      'With Repeat weekly: the days of the week, in full or short (Mon, Wed, Fri). The first visit is on one of them.',
    ),
  ),
  On: extension(
    described(
      text(40),
      'With Repeat monthly: a day of the week in the month, first to fifth or last (first Tuesday, last Fri). The ' +
        'first visit is on it.',
    ),
  ),
  IfMissing: extension(
    described(
      word(['skip', 'last']),
      'What a month without a fifth day of On has: no visit (skip, the default), or one on the last.',
    ),
  ),
  Interval: extension(described(int32(1, MAX_SERIES), 'Every so many days, weeks, months or years; 1 by default.')),
  Count: extension(described(int32(2, MAX_SERIES), 'How many visits the series has, the first among them.')),
  Through: extension(described(date(), 'No visit of the series is after this day.')),
});
export type RepeatInput = FieldsInput<ReturnType<typeof repeatFields>>;

/** The answer of book, update and cancel: the appointment in Slots, and the fields that slots do not have. */
export const appointmentAnswer = () => ({
  AppointmentId: id(),
  ContactId: id(),
  InvoiceId: id(),
  Notes: text(),
  EnRouteUri: text(2048),
  NotificationOptions: list(text(100)),
  ActualStart: nullable(moment()),
  ActualFinish: nullable(moment()),
  CancelReasonId: id(),
  CallCenterTransactionId: nullable(int32()),
  Slots: many(AppointmentSlot),
});

/** The request and the response of queue. */
export const queueFields = () => ({
  ...pick(
    appointmentFields(),
    'AppointmentId',
    'ServiceName',
    'ContactId',
    'Duration',
    'Quantity',
    'ServiceId',
    'AddOnParts',
    'Notes',
  ),
  QueueDate: described(date(), 'The requested day; defaults to today.'),
  Demand: nullable(described(int32(0), 'How much capacity it takes.')),
  Discount: nullable(decimal()),
  NotificationUri: described(text(2048), 'https only.'),
  CallCenterTransactionId: nullable(transactionId()),
});
export type QueueInput = FieldsInput<ReturnType<typeof queueFields>>;

/** The fields of a contact that quickbook shares with contacts/addupdate; it renames Phone and PhoneLabel. */
export const LEAD_FIELDS = [
  'Name',
  'Nickname',
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Country',
  'AltPhone',
  'AltPhoneLabel',
  'Email',
  'Channel',
  'ChannelId',
  'Campaign',
  'CampaignId',
  'Category',
  'DigitalTrackingId',
  'Unsubscribed',
] as const;

/** The request of quickbook: a contact, and what to book for it. */
export const quickbookFields = () => ({
  ContactId: described(id(), 'An existing contact; otherwise the rules of contacts/addupdate find or create it.'),
  ...pick(Contact.shape(), ...LEAD_FIELDS),
  PriPhone: phone(),
  PriPhoneLabel: text(50),
  HoldHandle: holdHandle(),
  Tags: list(text(100), 50),
  CustomFields: many(CustomField, 100),
  Service: required(described(text(200), 'The name of the service.')),
  ServiceAgentEmail: described(text(254), 'The agent; defaults to any agent who can do it.'),
  AdditionalServiceAgentEmails: list(text(254), 10),
  ScheduledStart: described(moment(), 'Without an offset in the time zone of the organization.'),
  ArrivalFrom: extension(
    described(nullable(localTime()), 'With ArrivalThrough: the arrival window in which any free start is booked.'),
  ),
  ArrivalThrough: extension(nullable(localTime())),
  Duration: described(int32(0), 'Minutes; 0 or absent for the duration of the service.'),
  Quantity: quantity(),
  Tentative: described(flag(), 'Books it as Tentative.'),
  Confirmed: described(flag(), 'Books it as Scheduled, the default.'),
  FirstAvailable: described(flag(), 'The first slot from ScheduledStart, or from now.'),
  ConfirmationUri: described(text(2048), 'Called when it becomes Scheduled after Tentative. https only.'),
  EnRouteUri: described(text(2048), 'Called when the appointment is Started. https only.'),
  InternalNotes: text(),
  CustomerNotes: text(),
  CallCenterTransactionId: nullable(transactionId()),
});
export type QuickbookInput = FieldsInput<ReturnType<typeof quickbookFields>>;

/** The response of quickbook: the fields of the contract, and what a web form needs next. */
export const quickbookAnswer = () => ({
  AppointmentId: extension(id()),
  TrackingUrl: extension(AppointmentSlot.shape().TrackingUrl),
  ContactId: id(),
  Service: text(200),
  ServiceAgentEmail: text(254),
  ScheduledStart: nullable(moment()),
  ArrivalFrom: extension(AppointmentSlot.shape().ArrivalFrom),
  ArrivalThrough: extension(AppointmentSlot.shape().ArrivalThrough),
  Duration: int32(0),
  Tentative: flag(),
  Confirmed: flag(),
  CallCenterTransactionId: nullable(int32()),
});
