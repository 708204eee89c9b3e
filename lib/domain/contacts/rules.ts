import type { ContactRecord } from './record.ts';

/** A full address: street, city or zip, and state or zip. */
const hasAddress = ({ Address1, City, State, Zip }: ContactRecord): boolean =>
  Address1 !== '' && (Zip !== '' || (City !== '' && State !== ''));

/** Enough to work with: a name or company, and one way to reach it (e-mail, phone or full address). */
export const isValid = (contact: ContactRecord): boolean =>
  (contact.Name !== '' || contact.Company !== '') &&
  (contact.Email !== '' || contact.Phone !== '' || contact.AltPhone !== '' || hasAddress(contact));

/** Anything at all by which the contact could be told from others. */
export const hasIdentifyingInfo = ({
  Name,
  Company,
  Email,
  Phone,
  AltPhone,
  Address1,
  DigitalTrackingId,
}: ContactRecord): boolean =>
  [Name, Company, Email, Phone, AltPhone, Address1, DigitalTrackingId].some((value) => value !== '');
