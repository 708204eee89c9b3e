import Big from 'big.js';
import type { InvoiceLine } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import type { Fault } from '../faults.ts';
import { blankLine } from './blank.ts';
import type { InvoiceLineRecord } from './record.ts';

export type LineInput = Input<typeof InvoiceLine>;

/** Names of the services and parts that lines are of; a line whose thing has none there is at fault. */
export interface LineThings {
  readonly services: ReadonlyMap<number, string>;
  readonly parts: ReadonlyMap<number, string>;
}

/** A line comes to no more either way, so that sums of a thousand are exact to the cent. */
const MOST = 1e10;

/** How many of the lines are new and need an id. */
export const newLines = (given: readonly LineInput[]): number => given.filter(({ Id }) => !Id).length;

/** Ids of the services and parts that lines name and that the lines there are do not, so that they are to be looked up. */
export function namedThings(
  before: readonly InvoiceLineRecord[],
  given: readonly LineInput[],
): { readonly services: readonly number[]; readonly parts: readonly number[] } {
  const named = (of: 'ServiceId' | 'PartId') => {
    const known = new Set(before.map((line) => line[of]));
    return [...new Set(given.flatMap((line) => line[of] ?? []))].filter((id) => !known.has(id));
  };
  return { services: named('ServiceId'), parts: named('PartId') };
}

/** A line with what is given laid over it: `undefined` leaves a field, `null` clears it. */
function laid(line: InvoiceLineRecord, { ServiceId, PartId, Description, Rate, Qty, Taxable }: LineInput, name: string): InvoiceLineRecord {
  return {
    ...line,
    ServiceId: ServiceId === undefined ? line.ServiceId : ServiceId,
    PartId: PartId === undefined ? line.PartId : PartId,
    Description: Description === undefined ? line.Description || name : (Description ?? '').trim(),
    Rate: Rate === undefined ? line.Rate : (Rate ?? 0),
    Qty: Qty === undefined ? line.Qty : (Qty ?? 1),
    Taxable: Taxable === undefined ? line.Taxable : (Taxable ?? false),
  };
}

/**
 * The lines of an invoice as given, which are all there are from now on. One with the Id of a line there is keeps it
 * and what is not given of it; others get `ids` in turn, and are 1 × 0.00, untaxed, unless they say otherwise, with
 * the name of their part or service where they have no Description.
 */
export function mergeLines(
  before: readonly InvoiceLineRecord[],
  given: readonly LineInput[],
  { ids, things }: { readonly ids: readonly number[]; readonly things: LineThings },
): { readonly lines: readonly InvoiceLineRecord[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const kept = new Map(before.map((line) => [line.Id, line]));
  const free = [...ids];
  const lines = given.map((line, index) => {
    const fault = (field: string, message: string) => faults.push({ field: `Lines[${index}].${field}`, message });
    const known = line.Id ? kept.get(line.Id) : undefined;
    if (line.Id && !known) fault('Id', before.length ? `${line.Id} is no line of the invoice, or of one given twice` : 'is what a new line is given');
    if (known) kept.delete(known.Id);
    const isNamed = (id: number | null | undefined, of: 'ServiceId' | 'PartId', names: ReadonlyMap<number, string>) =>
      !id || names.has(id) || before.some((other) => other[of] === id);
    if (!isNamed(line.ServiceId, 'ServiceId', things.services)) fault('ServiceId', `there is no service ${line.ServiceId}`);
    if (!isNamed(line.PartId, 'PartId', things.parts)) fault('PartId', `there is no part ${line.PartId}`);
    const name = things.parts.get(line.PartId ?? 0) ?? things.services.get(line.ServiceId ?? 0) ?? '';
    const merged = laid(known ?? blankLine({ Id: free.shift() ?? 0 }), line, name);
    if (new Big(merged.Rate).times(merged.Qty).abs().gt(MOST)) fault('Rate', `times Qty must be at most ${MOST} either way`);
    return merged;
  });
  return { lines, faults };
}
