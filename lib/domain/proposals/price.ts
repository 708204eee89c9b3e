import type { CustomField } from '../../resources/custom-fields.ts';
import type { CustomValue } from '../custom-fields.ts';
import { add } from '../decimals.ts';
import type { Fault } from '../faults.ts';
import type { LineRequest, OptionTotals, Priced, PricedField, PricedLine, PriceRequest } from '../pricing.ts';
import { blankLine } from './blank.ts';
import { wholeBook, type WholeBook } from './book.ts';
import { itemCount } from './items.ts';
import { inOrder } from './order.ts';
import { priceSold } from './proration.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';

/** What pricing draws on besides the proposal and its own book. */
export interface Pricing {
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  /** Ids for the items of assemblies that are yet to become lines, as many as `itemsToCome` says. */
  readonly lineIds: readonly number[];
}

export type PricedProposal =
  | {
      readonly kind: 'priced';
      readonly proposal: ProposalRecord;
      /** What it would come to with each option alone selected, in the order of their ids. */
      readonly options: readonly OptionTotals[];
    }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] };

/** How many lines the assemblies among its lines are still to become. */
export const itemsToCome = ({ Lines, Book }: ProposalRecord): number => itemCount(Lines, wholeBook(Book).parts);

const valuesOf = (values: readonly CustomValue[], definitions: readonly CustomField[]): PricedField[] =>
  values.flatMap(({ Id, Value }) => {
    const named = definitions.filter((field) => field.Id === Id);
    return named.map(({ Shortcode }) => ({ Id, Shortcode, Value }));
  });

/** All the names there are; then what the contact said, then what the proposal says. */
const fieldsOf = (
  { CustomFields }: ProposalRecord,
  { fields }: WholeBook,
  definitions: readonly CustomField[],
): PricedField[] => [
  ...definitions.map(({ Id, Shortcode }) => ({ Id, Shortcode, Value: null })),
  ...fields,
  ...valuesOf(CustomFields, definitions),
];

const lineRequest = (line: ProposalLineRecord, definitions: readonly CustomField[]): LineRequest => ({
  id: line.Id,
  partId: line.PartId,
  quantity: line.AskedQuantity,
  unitPrice: line.AskedPrice,
  unitCost: line.UnitCost,
  isZeroPrice: line.IsZeroPrice,
  ratePercent: line.RatePercent,
  discount: line.Discount,
  maxDiscount: line.MaxDiscount,
  taxable: line.Taxable,
  isInternal: line.IsInternal,
  optionId: line.OptionId,
  assemblyLineId: line.AssemblyLineId,
  customFields: valuesOf(line.CustomFields, definitions),
});

/** What the one pricing engine is asked of a proposal. */
export function priceRequestOf(proposal: ProposalRecord, definitions: readonly CustomField[]): PriceRequest {
  const book = wholeBook(proposal.Book);
  return {
    service: book.service,
    parts: book.parts,
    quantity: proposal.AskedQuantity,
    lines: proposal.Lines.map((line) => lineRequest(line, definitions)),
    taxRate: proposal.NamedTaxRate?.TaxRate ?? 0,
    taxable: proposal.Taxable,
    customFields: fieldsOf(proposal, book, definitions),
    selectedOptionIds: proposal.Options.filter(({ Selected }) => Selected).map(({ Id }) => Id),
    paths: { lines: 'ProposalLines', part: 'Part.Id' },
  };
}

const figuresOf = ({ quantity, unitPrice, unitCost, net, tax, duration, counts }: PricedLine) => ({
  Quantity: quantity,
  UnitPrice: unitPrice,
  UnitCost: unitCost,
  ExtendedTotal: net,
  LineTax: tax,
  Duration: duration,
  Counts: counts,
});

/** The lines with what they cost; the items of an assembly follow it as lines of their own. */
function linesOf({ Lines, Book }: ProposalRecord, { lines }: Priced, lineIds: readonly number[]): ProposalLineRecord[] {
  const { parts } = wholeBook(Book);
  const made: ProposalLineRecord[] = [];
  let used = 0;
  for (const priced of lines) {
    const kept = priced.index === null ? undefined : Lines[priced.index];
    const assembly = priced.assembly === null ? undefined : made[priced.assembly];
    const part = parts.get(priced.partId ?? 0);
    const item = () => ({
      Id: lineIds[used++] ?? 0,
      PartId: priced.partId ?? 0,
      Taxable: priced.taxable,
      IsInternal: part?.IsInternal ?? false,
      LineDescription: part?.Description || (part?.Name ?? ''),
      AssemblyLineId: assembly?.Id ?? null,
      SortIndex: assembly?.SortIndex ?? 0,
    });
    made.push({ ...(kept ?? blankLine(item())), ...figuresOf(priced) });
  }
  return inOrder(made);
}

/**
 * A proposal with everything that it comes to, by its own book: every amount, minutes, and its assemblies expanded into
 * lines. What was asked for stays as it was, so that it can be priced again and again. Faults name lines by their place
 * in the record: `ProposalLines[2].Discount`.
 */
export function priceProposal(proposal: ProposalRecord, { definitions, lineIds }: Pricing): PricedProposal {
  const priced = priceSold(priceRequestOf(proposal, definitions), { date: proposal.Date, zone: proposal.Zone });
  if (Array.isArray(priced)) return { kind: 'faults', faults: priced };
  const { rates, minimum, quantity, net, tax, taxableSubtotal, durationMinutes, service, options } = priced;
  const amounts = {
    BasePrice: add(rates.base, minimum), UnitPrice: rates.unit, Quantity: quantity, Duration: durationMinutes,
    Subtotal: net, Tax: tax, TaxableSubtotal: taxableSubtotal, ServiceTax: service.tax,
  };
  return { kind: 'priced', proposal: { ...proposal, ...amounts, Lines: linesOf(proposal, priced, lineIds) }, options };
}
