import { id, list, nullable, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/**
 * An accounting class and the postal codes booked under it; a code belongs to at most one class an organization
 * (interface, section 4).
 */
export const AccountingClassPostalCodes = resource('AccountingClassPostalCodes', () => ({
  Id: nullable(id()),
  AccountingClass: text(100),
  TerritoryID: text(100),
  PostalCodes: list(text(20)),
}));
export type AccountingClassPostalCodes = Output<typeof AccountingClassPostalCodes>;
