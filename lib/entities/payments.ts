import { type RecordOf, entity } from './entity.ts';
import { date, history, id, moment, number, text } from './fields.ts';

/** A payment as it is stored; an Amount below 0 is a refund. Money with 2 decimals. */
export const paymentEntity = entity('Payment', {
  Id: id({ resource: true }),
  OrganizationId: id(),
  InvoiceId: id({ resource: true }),
  ContactId: id({ resource: true }),
  InvoiceNumber: text({ resource: true }),
  Reference: text({ resource: true }),
  /** `""` for none. */
  TransactionId: text({ resource: true }),
  Date: moment({ required: true, resource: true }),
  /** Its Date where that was given as a date; else `''`. */
  Day: date(),
  /** In which Date was read; `''` where an earlier version stored it. */
  Zone: text(),
  Amount: number({ required: true, resource: true }),
  Method: text({ resource: true }),
  ...history,
});
export type PaymentRecord = RecordOf<typeof paymentEntity>;
