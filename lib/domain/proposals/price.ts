import type { ProposalLineRecord } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { CustomValue } from '../../entities/declaration/fields.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { isEqual, jsonByteLength } from '../../shared/objects.ts';
import { type FieldError, collectErrors } from '../../shared/failure.ts';
import { formatBytes } from '../../shared/text/text.ts';
import { add } from '../../shared/money.ts';
import type { LineRequest, OptionTotals, PriceBreakdown, PriceRequest, PricedField } from '../pricing/types.ts';
import { priceWithProration } from '../subscriptions/proration.ts';
import { blankLine, countItems, expandBook, selectedOptionIds, sortLines } from './record.ts';
import type { ProposalInput, ProposalUpdate } from './input.ts';
import { foldName } from './references.ts';

/** What pricing requires besides the proposal. */
export interface Pricing {
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  /** Ids for the lines of expanded assemblies, as many as `countNewItems` says. */
  readonly lineIds: readonly number[];
}

export type PricedProposal =
  | {
      readonly kind: 'priced';
      readonly proposal: ProposalRecord;
      /** The totals with each option alone selected, sorted by option id. */
      readonly options: readonly OptionTotals[];
    }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** How many lines a proposal's assemblies will still expand to. */
export const countNewItems = ({ Lines, Book }: ProposalRecord): number => countItems(Lines, expandBook(Book).parts);

type Shortcodes = ReadonlyMap<number, string>;

const toPricedFields = (values: readonly CustomValue[], shortcodes: Shortcodes): PricedField[] =>
  values.flatMap(({ Id, Value }) => {
    const Shortcode = shortcodes.get(Id);
    return Shortcode === undefined ? [] : [{ Id, Shortcode, Value }];
  });

const toLineRequest = (line: ProposalLineRecord, shortcodes: Shortcodes): LineRequest => ({
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
  customFields: toPricedFields(line.CustomFields, shortcodes),
});

export function toPriceRequest(proposal: ProposalRecord, definitions: readonly CustomField[]): PriceRequest {
  const { service, parts, fields } = expandBook(proposal.Book);
  const shortcodes = new Map(definitions.map(({ Id, Shortcode }) => [Id, Shortcode]));
  return {
    service,
    parts,
    quantity: proposal.RequestedQuantity,
    lines: proposal.Lines.map((line) => toLineRequest(line, shortcodes)),
    taxRate: proposal.NamedTaxRate?.TaxRate ?? 0,
    taxParts: proposal.NamedTaxRate?.Parts ?? [],
    taxable: proposal.Taxable,
    // Formulas must find every name; the contact's values come next, then the proposal's own.
    customFields: [
      ...definitions.map(({ Id, Shortcode, Name, TableType }) => ({
        Id,
        Shortcode,
        Value: null,
        definition: { Name, TableType },
      })),
      ...fields,
      ...toPricedFields(proposal.CustomFields, shortcodes),
    ],
    selectedOptionIds: selectedOptionIds(proposal),
    paths: { lines: 'ProposalLines', part: 'Part.Id' },
  };
}

/** The lines with their amounts; the items of an assembly become lines after it. */
function withAmounts(
  { Lines, Book }: ProposalRecord,
  { lines }: PriceBreakdown,
  lineIds: readonly number[],
): ProposalLineRecord[] {
  const { parts } = expandBook(Book);
  const ids = lineIds.values();
  const records: ProposalLineRecord[] = [];
  for (const line of lines) {
    const existing = line.index === null ? undefined : Lines[line.index];
    const assembly = line.assembly === null ? undefined : records[line.assembly];
    const part = parts.get(line.partId ?? 0);
    const newItem = () =>
      blankLine({
        Id: ids.next().value ?? 0,
        PartId: line.partId ?? 0,
        Taxable: line.taxable,
        IsInternal: part?.IsInternal ?? false,
        LineDescription: part?.Description || (part?.Name ?? ''),
        AssemblyLineId: assembly?.Id ?? null,
        SortIndex: assembly?.SortIndex ?? 0,
      });
    records.push({
      ...(existing ?? newItem()),
      Quantity: line.quantity,
      UnitPrice: line.unitPrice,
      UnitCost: line.unitCost,
      ExtendedTotal: line.net,
      LineTax: line.tax,
      Duration: line.duration,
      Counts: line.counts,
    });
  }
  return sortLines(records);
}

/**
 * A proposal with all its amounts, priced by its own book, and its assemblies expanded into lines. The requested values
 * are kept, so the proposal can be priced again. Errors name lines by their index in the record:
 * `ProposalLines[2].Discount`.
 */
export function priceProposal(proposal: ProposalRecord, { definitions, lineIds }: Pricing): PricedProposal {
  const saleDay = { date: proposal.Date };
  const breakdown = priceWithProration(toPriceRequest(proposal, definitions), saleDay);
  if (Array.isArray(breakdown)) return { kind: 'invalid', errors: breakdown };
  const amounts = {
    BasePrice: add(breakdown.rates.base, breakdown.minimum),
    UnitPrice: breakdown.rates.unit,
    Quantity: breakdown.quantity,
    Duration: breakdown.durationMinutes,
    Subtotal: breakdown.net,
    Tax: breakdown.tax,
    TaxableSubtotal: breakdown.taxableSubtotal,
    ServiceTax: breakdown.service.tax,
  };
  const Lines = withAmounts(proposal, breakdown, lineIds);
  return { kind: 'priced', proposal: { ...proposal, ...amounts, Lines }, options: breakdown.options };
}

/** The fields that prices depend on; for Lines and Options see below. */
const PRICE_FIELDS = ['Date', 'Book', 'RequestedQuantity', 'Taxable', 'NamedTaxRate', 'CustomFields'] as const;
const LINE_PRICE_FIELDS = [
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

/** Whether prices may change. If not, a proposal keeps its amounts whatever else has changed in the account. */
const needsPricing = (before: ProposalRecord, after: ProposalRecord): boolean =>
  before.V === 0 ||
  before.Lines.length !== after.Lines.length ||
  PRICE_FIELDS.some((name) => !isEqual(before[name], after[name])) ||
  !isEqual(selectedOptionIds(before), selectedOptionIds(after)) ||
  before.Lines.some((line, index) =>
    LINE_PRICE_FIELDS.some((name) => !isEqual(line[name], after.Lines[index]?.[name])),
  );

const BOOKKEEPING: ReadonlySet<string> = new Set<keyof ProposalRecord>(['V', 'Updated', 'AccountingClass']);

/** Whether two states of a proposal are the same, apart from bookkeeping and the contact's accounting class. */
export const isSameProposal = (one: ProposalRecord, other: ProposalRecord): boolean =>
  (Object.keys(other) as (keyof ProposalRecord)[]).every(
    (name) => BOOKKEEPING.has(name) || isEqual(one[name], other[name]),
  );

/** Pricing errors by the indexes of the request; a line that the request does not mention is named by its id. */
function toRequestErrors(errors: readonly FieldError[], { proposal, indexes }: ProposalUpdate): FieldError[] {
  return errors.map((error) => {
    const { field, message } = error;
    const [, lineIndex, name = ''] = /^ProposalLines\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const id = lineIndex === undefined ? undefined : proposal.Lines[Number(lineIndex)]?.Id;
    if (id === undefined) return error;
    const index = indexes.get(id);
    return index === undefined
      ? {
          ...error,
          field: 'ProposalLines',
          message: `cannot be priced: line ${id}${name ? `, ${name}` : ''} ${message}`,
        }
      : { ...error, field: `ProposalLines[${index}]${name ? `.${name}` : ''}` };
  });
}

/** The most lines before assemblies are expanded, and the most options: they determine the cost of pricing. */
const MAX_PROPOSAL_LINES = 500;
const MAX_PROPOSAL_OPTIONS = 50;

const isOwnLine = ({ AssemblyLineId }: { readonly AssemblyLineId?: number | null | undefined }): boolean =>
  !AssemblyLineId;

/** The error of a proposal with too many lines, not counting items of assemblies, or too many options. */
const countErrors = ({ Lines, Options }: Pick<ProposalRecord, 'Lines' | 'Options'>): FieldError[] =>
  tooManyErrors(Lines.filter(isOwnLine).length, Options.length);

const tooManyErrors = (lines: number, options: number): FieldError[] =>
  collectErrors(
    [
      'ProposalLines',
      lines > MAX_PROPOSAL_LINES &&
        `must have at most ${MAX_PROPOSAL_LINES} lines besides the items of assemblies, not ${lines}`,
      'too_long',
    ],
    [
      'ProposalLines',
      options > MAX_PROPOSAL_OPTIONS && `must have at most ${MAX_PROPOSAL_OPTIONS} options, not ${options}`,
      'too_long',
    ],
  );

/**
 * The same check for the lines of a request, before anything is read for it. An option may be given by Id in one line
 * and by Name in another.
 */
export function inputCountErrors({ ProposalLines }: Pick<ProposalInput, 'ProposalLines'>): FieldError[] {
  const lines = ProposalLines ?? [];
  const options = lines.flatMap(({ ProposalOption }) => ProposalOption ?? []);
  const ids = new Set(options.flatMap(({ Id }) => Id ?? []));
  const names = new Set(options.flatMap(({ Name }) => (Name?.trim() ? foldName(Name) : [])));
  return tooManyErrors(lines.filter(isOwnLine).length, Math.max(ids.size, names.size));
}

/** An item has at most 400 KB; the table's own attributes and later changes need some room. */
const MAX_BYTES = 350_000;

/** The updated proposal, priced if its prices may change; or all its errors. */
export function finalizeProposal(before: ProposalRecord, update: ProposalUpdate, pricing: Pricing): PricedProposal {
  const { proposal } = update;
  const tooMany = needsPricing(before, proposal) ? countErrors(proposal) : [];
  const errors = [...update.errors, ...tooMany];
  if (tooMany.length) return { kind: 'invalid', errors };
  const result: PricedProposal = needsPricing(before, proposal)
    ? priceProposal(proposal, pricing)
    : { kind: 'priced', proposal, options: [] };
  if (result.kind === 'invalid')
    return { kind: 'invalid', errors: [...errors, ...toRequestErrors(result.errors, update)] };
  const tooLarge = {
    field: 'ProposalLines',
    code: 'limit' as const,
    message: `make the proposal larger than ${formatBytes(MAX_BYTES)} of JSON, with parts, notes and children`,
  };
  const all = jsonByteLength(result.proposal) > MAX_BYTES ? [...errors, tooLarge] : errors;
  return all.length ? { kind: 'invalid', errors: all } : result;
}
