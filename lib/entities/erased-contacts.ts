import { openDocument } from './contact-parts.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, history, id, mapOf, moment, number } from './declaration/fields.ts';

/** What remains of an erased contact: what the sums of its invoices and payments need, without personal data. */
export const erasedContactEntity = entity('Contact', {
  Id: id(),
  OrganizationId: id(),
  ErasedAt: moment({ required: true }),
  OpenInvoices: mapOf(openDocument),
  OpenProposals: mapOf(openDocument),
  IsCustomer: flag(),
  LifetimeValue: number({ optional: true }),
  CreditBalance: number({ optional: true }),
  CustomerSince: moment({ optional: true }),
  MergedInto: id({ optional: true }),
  ...history,
});
export type ErasedContact = RecordOf<typeof erasedContactEntity>;

/** Whether an item is the remainder of an erased contact. */
export const isErased = (item: Readonly<Record<string, unknown>>): boolean => item['ErasedAt'] !== undefined;

/** Whether an item is no longer a contact: erased, or merged into another one. */
export const isGone = (item: Readonly<Record<string, unknown>>): boolean =>
  isErased(item) || item['MergedInto'] !== undefined;
