import { type ObjectOf, flag, id, number, text } from './fields.ts';

/** A line of a future invoice, after discounts and before tax. */
export const billedLine = {
  ServiceId: id({ nullable: true }),
  PartId: id({ nullable: true }),
  Description: text({ personal: 'named' }),
  Rate: number(),
  Qty: number({ absent: 1 }),
  /** Rate × Qty, rounded half-up to cents. */
  Extended: number(),
  Taxable: flag(),
  /** Its tax, if that does not follow from the tax rate: a share of a tax that is divided over visits. */
  Tax: number({ optional: true }),
};
export type BilledLine = ObjectOf<typeof billedLine>;
