import { entity } from './entity.ts';
import { bytes, id, moment, number, numbers, object, text } from './fields.ts';
import { paymentEntity } from './payments.ts';
import { serviceEntity } from './services.ts';

/** A search entry of a contact; those of e-mails and phones that earlier versions stored have no organization. */
export const searchEntryEntity = entity('SearchEntry', { Id: id(), At: moment(), O: id({ optional: true }) });

/** A name of an organization from one of its words on (lib/domain/organizations.ts). */
export const organizationNameEntity = entity('OrganizationName', { Id: id(), Shared: number() });

/** A word for contacts, by its name. */
export const tagEntity = entity('Tag', { Id: id(), Name: text() });

/** A service in the list of its organization. */
export const serviceEntryEntity = entity('ServiceEntry', { Service: object(serviceEntity.fields, { required: true }) });

/** A payment beside its invoice. */
export const invoicePaymentEntity = entity('InvoicePayment', {
  Payment: object(paymentEntity.fields, { required: true }),
});

/** The first use of a TransactionId. */
export const usedTransactionEntity = entity('Transaction', {
  Id: id(),
  InvoiceId: id(),
  /** As first requested; the payment may have another one now. */
  Amount: number({ required: true }),
});

/** The appointment of a CallCenterTransactionId; those of earlier versions have no fingerprint. */
export const callCenterEntity = entity('CallCenter', {
  Id: id(),
  /** Of the request that booked it. */
  Fingerprint: text({ optional: true }),
  Zone: text({ absent: 'UTC' }),
});

/** The keys and contacts of search entries that a call put before its transaction: JSON, compressed. */
export const pendingEntriesEntity = entity('PendingEntries', { Entries: bytes({ required: true }) });

/** What every record of an organization has. */
export const ownedRecordEntity = entity('Record', { Id: id(), OrganizationId: id({ absent: 0 }), Created: moment() });

/** The appointment that a form of the booking page made. */
export const clientBookingEntity = entity('ClientBooking', { AppointmentId: id() });

/** Lines of a file that were imported in one transaction. */
export const importedLinesEntity = entity('ImportedLines', { Lines: numbers() });
