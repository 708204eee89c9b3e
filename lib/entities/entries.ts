import { entity } from './declaration/entity.ts';
import { id, moment, number } from './declaration/fields.ts';

/** Leads to a record by its id: the guard of a name, or an entry of a list. */
export const entryEntity = entity('Entry', { Id: id() });

/** The fields that every record of an organization has. */
export const ownedRecordEntity = entity('Record', { Id: id(), OrganizationId: id({ absent: 0 }), Created: moment() });

/** The appointment that a form on the booking page made. */
export const clientBookingEntity = entity('ClientBooking', { AppointmentId: id() });

/** One of the limited places for upcoming visits that strangers booked with an e-mail or a phone, or for a contact. */
export const clientPlaceEntity = entity('ClientPlace', { AppointmentId: id() });

/** The minutes of an organization's day that strangers have booked. */
export const clientDayEntity = entity('ClientDay', { Minutes: number() });
