import { type RecordOf, entity } from './entity.ts';
import { date, decimal, history, id, moment, text } from './fields.ts';

/** A payment as it is stored; an Amount below 0 is a refund. Money with 2 decimals. */
export const paymentEntity = entity('Payment', {
  Id: id({ resource: true, download: true }),
  OrganizationId: id(),
  /** 0 while it is applied to no invoice. */
  InvoiceId: id({ resource: true, download: true }),
  ContactId: id({ resource: true }),
  InvoiceNumber: text({ resource: true, download: true }),
  Reference: text({ resource: true, download: true, personal: 'named' }),
  /** `""` for none. */
  TransactionId: text({ resource: true, download: true }),
  Date: moment({ required: true, resource: true, download: true }),
  /** Its Date where that was given as a date; else `''`. */
  Day: date(),
  /** In which Date was read; `''` where an earlier version stored it. */
  Zone: text(),
  Amount: decimal({ required: true, resource: true, download: true }),
  Method: text({ resource: true, download: true, personal: 'named' }),
  ...history,
});
export type PaymentRecord = RecordOf<typeof paymentEntity>;
