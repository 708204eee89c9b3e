import { entity } from './declaration/entity.ts';
import { id, moment, number } from './declaration/fields.ts';

/** What leads to a record by its id: the guard of a name, or an entry of a list. */
export const entryEntity = entity('Entry', { Id: id() });

/** What every record of an organization has. */
export const ownedRecordEntity = entity('Record', { Id: id(), OrganizationId: id({ absent: 0 }), Created: moment() });

/** The appointment that a form of the booking page made. */
export const clientBookingEntity = entity('ClientBooking', { AppointmentId: id() });

/** One of the places for visits ahead that strangers booked with an e-mail or a phone, or for a contact. */
export const clientPlaceEntity = entity('ClientPlace', { AppointmentId: id() });

/** The minutes of a day of an organization that strangers have booked. */
export const clientDayEntity = entity('ClientDay', { Minutes: number() });
