import { mergeCustomFields } from '../custom-fields.ts';
import type { Fault } from '../faults.ts';
import type { PartRecord } from '../pricebook/records.ts';
import { said, saidText } from '../said.ts';
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

/** A line with what a request says of it; what clears is then as its part says. */
export function tellLine(
  line: ProposalLineRecord,
  given: LineInput,
  context: LineContext,
): { line: ProposalLineRecord; faults: Fault[] } {
  const { path, part, standing, options } = context;
  const definitions = context.definitions.filter(({ TableType }) => TableType === LINE_FIELDS);
  const fields = mergeCustomFields(line.CustomFields, given.CustomFields ?? [], definitions);
  const { ProposalOption } = given;
  const option = ProposalOption ? options.told(ProposalOption, `${path}.ProposalOption`) : ProposalOption;
  const told: ProposalLineRecord = {
    ...line,
    AskedQuantity: asked(given.Quantity, line.AskedQuantity, line.Quantity),
    AskedPrice: asked(given.UnitPrice, line.AskedPrice, line.UnitPrice),
    UnitCost: said(given.UnitCost, line.UnitCost, part?.UnitCost ?? null),
    RatePercent: given.RatePercent === undefined ? line.RatePercent : given.RatePercent || null,
    MaxDiscount: said(given.MaxDiscount, line.MaxDiscount, null),
    Discount: said(given.Discount, line.Discount, null),
    Taxable: said(given.Taxable, line.Taxable, part?.Taxable ?? false),
    // Of an item it may be its assembly that makes it internal, or gives it its option: neither is its own.
    IsInternal: asked(given.IsInternal, line.IsInternal, standing?.internal ?? null) ?? part?.IsInternal ?? false,
    OptionId: option === undefined || option === standing?.optionId ? line.OptionId : option,
    LineDescription: saidText(given.LineDescription, line.LineDescription),
    Notes: saidText(given.Notes, line.Notes),
    SortIndex: given.SortIndex ?? line.SortIndex,
    AssemblyLineId: said(context.assembly, line.AssemblyLineId, null),
    CustomFields: fields.values,
  };
  const faults = [
    ...fields.faults.map(({ path: field, message }) => ({ field: `${path}.${field}`, message })),
    ...((told.MaxDiscount ?? 0) < 0 ? [{ field: `${path}.MaxDiscount`, message: 'must be at least 0' }] : []),
  ];
  return { line: told, faults };
}
