import { decimal, number, text } from './declaration/fields.ts';

/** A component of a named tax rate: its percentage, and the number under which the company pays it. */
export const taxRatePart = { Name: text(), TaxRate: number(), RegistrationNumber: text() };

/** A component with its amount on an invoice. */
export const taxPart = { ...taxRatePart, Amount: decimal() };
