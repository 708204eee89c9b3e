import { decimal, number, text } from './declaration/fields.ts';

/** A tax that a named tax rate is made of: its percentage, and the number under which the company pays it. */
export const taxRatePart = { Name: text(), TaxRate: number(), RegistrationNumber: text() };

/** With its amount on an invoice. */
export const taxPart = { ...taxRatePart, Amount: decimal() };
