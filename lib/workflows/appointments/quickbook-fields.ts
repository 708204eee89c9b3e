import { Contact } from '../../resources/contacts.ts';
import { CustomField } from '../../resources/custom-fields.ts';
import {
  datetime,
  described,
  double,
  flag,
  id,
  int32,
  list,
  nullable,
  required,
  text,
} from '../../resources/fields.ts';
import { many } from '../../resources/resource.ts';

/** The fields of appointments/quickbook: a contact, and what is to be booked for it. */
export function quickbookFields() {
  const {
    Name,
    Nickname,
    Company,
    Address1,
    Address2,
    City,
    State,
    Zip,
    Country,
    AltPhone,
    AltPhoneLabel,
    Email,
    Channel,
    ChannelId,
    Campaign,
    CampaignId,
  } = Contact.shape();
  const { Category, DigitalTrackingId, Unsubscribed } = Contact.shape();
  return {
    ContactId: described(id(), 'One there is; else it is found or made by the rules of contacts/addupdate.'),
    Name,
    Nickname,
    Company,
    Address1,
    Address2,
    City,
    State,
    Zip,
    Country,
    PriPhone: text(50),
    PriPhoneLabel: text(50),
    AltPhone,
    AltPhoneLabel,
    Email,
    Channel,
    ChannelId,
    Campaign,
    CampaignId,
    Category,
    DigitalTrackingId,
    Unsubscribed,
    Tags: list(text(100), 50),
    CustomFields: many(CustomField, 100),
    Service: required(described(text(200), 'Its name.')),
    ServiceAgentEmail: described(text(254), 'Of the agent who is to do it; anyone who can unless given.'),
    AdditionalServiceAgentEmails: list(text(254), 10),
    ScheduledStart: described(datetime(), 'Without offset in the time zone of the organization.'),
    Duration: described(int32(0), 'Minutes; as the service says when 0 or not given.'),
    Quantity: double(),
    Tentative: described(flag(), 'Held as Tentative.'),
    Confirmed: described(flag(), 'Scheduled, as without either.'),
    FirstAvailable: described(flag(), 'The first slot from ScheduledStart, or from now.'),
    ConfirmationUri: described(text(2048), 'Called when it becomes Scheduled after Tentative. https only.'),
    EnRouteUri: described(text(2048), 'Called when it is Started. https only.'),
    InternalNotes: text(),
    CustomerNotes: text(),
    CallCenterTransactionId: nullable(described(int32(), 'The same again is the same appointment; 0 for none.')),
  };
}

/** What it answers: beside what the contract lists, the appointment's id. */
export const quickbookAnswer = () => ({
  AppointmentId: id(),
  ContactId: id(),
  Service: text(200),
  ServiceAgentEmail: text(254),
  ScheduledStart: nullable(datetime()),
  Duration: int32(0),
  Tentative: flag(),
  Confirmed: flag(),
  CallCenterTransactionId: nullable(int32()),
});
