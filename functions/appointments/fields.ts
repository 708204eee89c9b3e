import { AddOnPart, AppointmentSlot } from '../../lib/resources/appointments.ts';
import { datetime, decimal, described, double, flag, id, int32, list, moment, nullable, text } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';

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
  Timeframe: described(text(50), 'Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00), or HH:MM-HH:MM.'),
  SlotWindowDays: described(int32(1, 60), "The organization's SlotSearchWindowDays unless said otherwise."),
  Notes: text(),
  NotificationUri: described(text(2048), 'Called when the appointment is booked, updated, moved, canceled or completed. https only.'),
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
