import type { CustomField } from '../../resources/custom-fields.ts';
import { isEqual } from '../../shared/equality.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { jsonByteLength, formatBytes } from '../../shared/limits.ts';
import { add } from '../../shared/money.ts';
import type { CustomValue } from '../custom-fields.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';
import type { PartRecord } from '../pricebook/record.ts';
import type {
  LineRequest,
  OptionTotals,
  PriceRequest,
  PriceBreakdown,
  PricedField,
  PricedLine,
} from '../pricing/types.ts';
import { MAX_LINES } from '../pricing/assemblies.ts';
import { priceWithProration } from '../subscriptions/proration.ts';
import type { ProposalUpdate } from './apply-input.ts';
import { sortLines } from './lines.ts';
import { type ProposalLineRecord, type ProposalRecord, type ExpandedBook, blankLine, expandBook } from './record.ts';

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
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** How many lines the assemblies among its lines are still to become. */
export const countAssemblyItems = ({ Lines, Book }: ProposalRecord): number => itemCount(Lines, expandBook(Book).parts);

const valuesOf = (values: readonly CustomValue[], definitions: readonly CustomField[]): PricedField[] =>
  values.flatMap(({ Id, Value }) => {
    const named = definitions.filter((field) => field.Id === Id);
    return named.map(({ Shortcode }) => ({ Id, Shortcode, Value }));
  });

/** All the names there are; then what the contact said, then what the proposal says. */
const fieldsOf = (
  { CustomFields }: ProposalRecord,
  { fields }: ExpandedBook,
  definitions: readonly CustomField[],
): PricedField[] => [
  ...definitions.map(({ Id, Shortcode }) => ({ Id, Shortcode, Value: null })),
  ...fields,
  ...valuesOf(CustomFields, definitions),
];

const lineRequest = (line: ProposalLineRecord, definitions: readonly CustomField[]): LineRequest => ({
  id: line.Id,
  partId: line.PartId,
  quantity: line.RequestedQuantity,
  unitPrice: line.RequestedPrice,
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
export function toPriceRequest(proposal: ProposalRecord, definitions: readonly CustomField[]): PriceRequest {
  const book = expandBook(proposal.Book);
  return {
    service: book.service,
    parts: book.parts,
    quantity: proposal.RequestedQuantity,
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
function linesOf(
  { Lines, Book }: ProposalRecord,
  { lines }: PriceBreakdown,
  lineIds: readonly number[],
): ProposalLineRecord[] {
  const { parts } = expandBook(Book);
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
  return sortLines(made);
}

/**
 * A proposal with everything that it comes to, by its own book: every amount, minutes, and its assemblies expanded into
 * lines. What was asked for stays as it was, so that it can be priced again and again. Faults name lines by their place
 * in the record: `ProposalLines[2].Discount`.
 */
export function priceProposal(proposal: ProposalRecord, { definitions, lineIds }: Pricing): PricedProposal {
  const priced = priceWithProration(toPriceRequest(proposal, definitions), {
    date: proposal.Date,
    zone: proposal.Zone,
  });
  if (Array.isArray(priced)) return { kind: 'invalid', errors: priced };
  const { rates, minimum, quantity, net, tax, taxableSubtotal, durationMinutes, service, options } = priced;
  const amounts = {
    BasePrice: add(rates.base, minimum),
    UnitPrice: rates.unit,
    Quantity: quantity,
    Duration: durationMinutes,
    Subtotal: net,
    Tax: tax,
    TaxableSubtotal: taxableSubtotal,
    ServiceTax: service.tax,
  };
  return { kind: 'priced', proposal: { ...proposal, ...amounts, Lines: linesOf(proposal, priced, lineIds) }, options };
}

/** An item holds 400 KB; what the client adds and the table's own attributes need some room. */
const MAX_BYTES = 350_000;

/** What of a proposal its prices follow from; of its lines and options see below. */
const PRICED_BY = ['Date', 'Book', 'RequestedQuantity', 'Taxable', 'NamedTaxRate', 'CustomFields'] as const;
const LINE_PRICED_BY = [
  'Id',
  'RequestedQuantity',
  'RequestedPrice',
  'UnitCost',
  'RatePercent',
  'MaxDiscount',
  'Discount',
  'Taxable',
  'IsInternal',
  'AssemblyLineId',
  'OptionId',
  'CustomFields',
] as const;

const selectedOf = ({ Options }: ProposalRecord): number[] =>
  Options.filter(({ Selected }) => Selected).map(({ Id }) => Id);

const isAskedAlike = (one: ProposalLineRecord, other: ProposalLineRecord | undefined): boolean =>
  other !== undefined && LINE_PRICED_BY.every((name) => isEqual(one[name], other[name]));

/**
 * Whether it must be priced: what was quoted is not, so that no later change of the account's fields or ours changes
 * it.
 */
const isToBePriced = (before: ProposalRecord, after: ProposalRecord): boolean =>
  before.V === 0 ||
  before.Lines.length !== after.Lines.length ||
  PRICED_BY.some((name) => !isEqual(before[name], after[name])) ||
  !isEqual(selectedOf(before), selectedOf(after)) ||
  before.Lines.some((line, place) => !isAskedAlike(line, after.Lines[place]));

/** What of a proposal is bookkeeping, or its contact's. */
const ASIDE: ReadonlySet<string> = new Set<keyof ProposalRecord>(['V', 'Updated', 'AccountingClass']);

/** Whether two states of a proposal are the same, bookkeeping and the contact's accounting class aside. */
export const isSameProposal = (one: ProposalRecord, other: ProposalRecord): boolean =>
  (Object.keys(other) as (keyof ProposalRecord)[]).every((name) => ASIDE.has(name) || isEqual(one[name], other[name]));

/** Faults of pricing by the request's places: lines that it did not tell anything are named by their id. */
function asTold(
  errors: readonly FieldError[],
  lines: readonly ProposalLineRecord[],
  places: ReadonlyMap<number, number>,
): FieldError[] {
  return errors.map(({ field, message }) => {
    const [, place, rest = ''] = /^ProposalLines\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const id = place === undefined ? undefined : lines[Number(place)]?.Id;
    if (id === undefined) return { field, message };
    const index = places.get(id);
    return index === undefined
      ? { field: 'ProposalLines', message: `cannot be priced: of line ${id}${rest ? ` ${rest}` : ''} ${message}` }
      : { field: `ProposalLines[${index}]${rest ? `.${rest}` : ''}`, message };
  });
}

/** A proposal that is too large to be kept. */
function sizeFaults(proposal: ProposalRecord): FieldError[] {
  if (jsonByteLength(proposal) <= MAX_BYTES) return [];
  const most = `at most ${formatBytes(MAX_BYTES)} of JSON are kept`;
  return [
    {
      field: 'ProposalLines',
      message: `make the proposal too large with its parts, notes and linked proposals: ${most}`,
    },
  ];
}

/** A proposal as it was told, priced where that changes what it comes to; with every fault there is. */
export function finalizeProposal(
  before: ProposalRecord,
  { proposal, places, errors }: ProposalUpdate,
  pricing: Pricing,
): PricedProposal {
  const priced: PricedProposal = isToBePriced(before, proposal)
    ? priceProposal(proposal, pricing)
    : { kind: 'priced', proposal, options: [] };
  const all = [
    ...errors,
    ...(priced.kind === 'invalid' ? asTold(priced.errors, proposal.Lines, places) : sizeFaults(priced.proposal)),
  ];
  return all.length ? { kind: 'invalid', errors: all } : priced;
}

/** What holds of a line by itself or by the assembly that it is an item of. */
export interface LinePlacement {
  readonly internal: boolean;
  readonly optionId: number | null;
}

type Line = Pick<ProposalLineRecord, 'Id' | 'PartId' | 'IsInternal' | 'OptionId' | 'AssemblyLineId'>;

/** The standing of each line, by its id: items have that of their assembly, and what its flags add. */
export function linePlacements(
  lines: readonly Line[],
  parts: ReadonlyMap<number, Pick<PartRecord, 'IsInternalizeAssemblyItems'>>,
): Map<number, LinePlacement> {
  const byId = new Map(lines.map((line) => [line.Id, line]));
  const found = new Map<number, LinePlacement>();
  function standing(line: Line, depth = 0): LinePlacement {
    const known = found.get(line.Id);
    if (known) return known;
    // Pricing refuses lines that are items of themselves; until then they must end somewhere.
    const holder = depth > lines.length ? undefined : byId.get(line.AssemblyLineId ?? 0);
    const above = holder && standing(holder, depth + 1);
    const internalized = holder ? (parts.get(holder.PartId)?.IsInternalizeAssemblyItems ?? false) : false;
    const of = {
      internal: line.IsInternal || internalized || (above?.internal ?? false),
      optionId: line.OptionId ?? above?.optionId ?? null,
    };
    found.set(line.Id, of);
    return of;
  }
  for (const line of lines) standing(line);
  return found;
}

type Parts = ReadonlyMap<number, Pick<PartRecord, 'AssemblyItems'>>;

function below(partId: number, parts: Parts, depth: number): number {
  const items = depth > MAX_DEPTH ? [] : (parts.get(partId)?.AssemblyItems ?? []);
  return items.reduce((sum, { PartId }) => (sum > MAX_LINES ? sum : sum + 1 + below(PartId, parts, depth + 1)), 0);
}

/**
 * How many items the assemblies among lines become: those whose line no other names yet in AssemblyLineId, to the depth
 * and number at which pricing refuses them.
 */
export function itemCount(
  lines: readonly Pick<ProposalLineRecord, 'Id' | 'PartId' | 'AssemblyLineId'>[],
  parts: Parts,
): number {
  const named = new Set(lines.map(({ AssemblyLineId }) => AssemblyLineId));
  const counts = lines.map(({ Id, PartId }) => (named.has(Id) ? 0 : below(PartId, parts, 0)));
  return Math.min(
    MAX_LINES,
    counts.reduce((sum, count) => sum + count, 0),
  );
}
