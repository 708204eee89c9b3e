import { canonical, type Json } from '../canonical.ts';
import type { InvoiceInput } from './merge.ts';

/**
 * What a request says of an invoice, as one text: two requests of the same content have the same, in whatever order
 * they say it, and with `null` for what they do not.
 */
export const contentOf = (given: InvoiceInput): string =>
  canonical(JSON.parse(JSON.stringify(given, (_, value: unknown) => value ?? undefined)) as Json);
