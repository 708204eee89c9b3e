import { mergeCustomFields } from '../custom-fields.ts';
import type { Fault } from '../faults.ts';
import type { PartRecord } from '../pricebook/records.ts';
import type { OptionsTold } from './options.ts';
import type { ProposalLineRecord } from './record.ts';
import type { LineStanding } from './standing.ts';
import { LINE_FIELDS, type LineInput, type Surroundings } from './surroundings.ts';

/** What a line draws on when it is told something. */
export interface LineContext {
  readonly path: string;
  /** `null`: a line of no part. */
  readonly part: PartRecord | null;
  /** Of the line as it was kept. */
  readonly standing: LineStanding | undefined;
  readonly options: OptionsTold;
  /** The line that it is to be an item of; `undefined` leaves it as it is. */
  readonly assembly: number | null | undefined;
  readonly definitions: Surroundings['definitions'];
}

/** Absent leaves it, `null` clears it, and what was answered before (`shown`) leaves what was asked for then. */
const asked = <Value>(given: Value | null | undefined, was: Value | null, shown: Value | null): Value | null =>
  given === undefined || (given === shown && shown !== null) ? was : given;

const text = (given: string | null | undefined, was: string): string => (given === undefined ? was : (given ?? '').trim());

/** A line with what a request says of it; what clears is then as its part says. */
export function tellLine(line: ProposalLineRecord, given: LineInput, context: LineContext): { line: ProposalLineRecord; faults: Fault[] } {
  const { path, part, standing, options } = context;
  const fields = mergeCustomFields(line.CustomFields, given.CustomFields ?? [], context.definitions.filter(({ TableType }) => TableType === LINE_FIELDS));
  const { ProposalOption } = given;
  const option = ProposalOption ? options.told(ProposalOption, `${path}.ProposalOption`) : ProposalOption;
  const told: ProposalLineRecord = {
    ...line,
    AskedQuantity: asked(given.Quantity, line.AskedQuantity, line.Quantity),
    AskedPrice: asked(given.UnitPrice, line.AskedPrice, line.UnitPrice),
    UnitCost: given.UnitCost === null ? (part?.UnitCost ?? null) : (given.UnitCost ?? line.UnitCost),
    RatePercent: given.RatePercent === undefined ? line.RatePercent : given.RatePercent || null,
    MaxDiscount: given.MaxDiscount === undefined ? line.MaxDiscount : given.MaxDiscount,
    Discount: given.Discount === undefined ? line.Discount : given.Discount,
    Taxable: given.Taxable === null ? (part?.Taxable ?? false) : (given.Taxable ?? line.Taxable),
    // Of an item it may be its assembly that makes it internal, or gives it its option: neither is its own.
    IsInternal: asked(given.IsInternal, line.IsInternal, standing?.internal ?? null) ?? part?.IsInternal ?? false,
    OptionId: option === undefined || option === standing?.optionId ? line.OptionId : option,
    LineDescription: text(given.LineDescription, line.LineDescription),
    Notes: text(given.Notes, line.Notes),
    SortIndex: given.SortIndex ?? line.SortIndex,
    AssemblyLineId: context.assembly === undefined ? line.AssemblyLineId : context.assembly,
    CustomFields: fields.values,
  };
  const faults = fields.faults.map(({ path: field, message }) => ({ field: `${path}.${field}`, message }));
  return { line: told, faults: (told.MaxDiscount ?? 0) < 0 ? [...faults, { field: `${path}.MaxDiscount`, message: 'must be at least 0' }] : faults };
}
