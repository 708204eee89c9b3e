import { type ObjectOf, id, text } from './fields.ts';

/** The class under which an organization books a postal code. */
export const postalClass = { Id: id(), AccountingClass: text({ required: true }), TerritoryID: text() };
export type PostalClass = ObjectOf<typeof postalClass>;
