import Big from 'big.js';
import type { InvoiceLine } from '../../resources/invoices.ts';
import type { Input } from '../../resources/resource.ts';
import { under, type Fault } from '../faults.ts';
import { said, saidText } from '../said.ts';
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

/** Ids of the services and parts that lines name and the lines there are do not, so that they are to be looked up. */
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
function laid(line: InvoiceLineRecord, given: LineInput, name: string): InvoiceLineRecord {
  const { ServiceId, PartId, Description, Rate, Qty, Taxable } = given;
  return {
    ...line,
    ServiceId: said(ServiceId, line.ServiceId, null),
    PartId: said(PartId, line.PartId, null),
    Description: saidText(Description, line.Description || name),
    Rate: said(Rate, line.Rate, 0),
    Qty: said(Qty, line.Qty, 1),
    Taxable: said(Taxable, line.Taxable, false),
  };
}

/** What cannot be of a line as it is given, and of what it comes to be. */
function lineFaults(
  { Id, ServiceId, PartId }: LineInput,
  line: InvoiceLineRecord,
  of: { readonly before: readonly InvoiceLineRecord[]; readonly things: LineThings; readonly isKnown: boolean },
): Fault[] {
  const { before, things, isKnown } = of;
  const isNamed = (id: number, field: 'ServiceId' | 'PartId', names: ReadonlyMap<number, string>) =>
    names.has(id) || before.some((other) => other[field] === id);
  const unknown = before.length
    ? `${Id} is no line of the invoice, or of one given twice`
    : 'is what a new line is given';
  const all: readonly (false | Fault)[] = [
    !!Id && !isKnown && { field: 'Id', message: unknown },
    !!ServiceId &&
      !isNamed(ServiceId, 'ServiceId', things.services) && {
        field: 'ServiceId',
        message: `there is no service ${ServiceId}`,
      },
    !!PartId && !isNamed(PartId, 'PartId', things.parts) && { field: 'PartId', message: `there is no part ${PartId}` },
    new Big(line.Rate).times(line.Qty).abs().gt(MOST) && {
      field: 'Rate',
      message: `times Qty must be at most ${MOST} either way`,
    },
  ];
  return all.filter((fault) => fault !== false);
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
  const kept = new Map(before.map((line) => [line.Id, line]));
  const free = [...ids];
  const laidOver = given.map((line) => {
    const known = line.Id ? kept.get(line.Id) : undefined;
    if (known) kept.delete(known.Id);
    const name = things.parts.get(line.PartId ?? 0) ?? things.services.get(line.ServiceId ?? 0) ?? '';
    const merged = laid(known ?? blankLine({ Id: free.shift() ?? 0 }), line, name);
    return { merged, faults: lineFaults(line, merged, { before, things, isKnown: known !== undefined }) };
  });
  return {
    lines: laidOver.map(({ merged }) => merged),
    faults: laidOver.flatMap(({ faults }, index) => under(`Lines[${index}]`, faults)),
  };
}
