import type { ProposalTemplate } from '../../entities/price-book.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { multiply } from '../../shared/money.ts';
import { fold } from '../../shared/text/text.ts';
import { price } from '../pricing/price.ts';
import { applyProposalInput } from './apply-input.ts';
import type { LineInput, ProposalInput, ProposalReferences } from './input.ts';
import { countNewIds } from './lines.ts';
import { type PricedProposal, countNewItems, finalizeProposal, priceProposal, toPriceRequest } from './price.ts';
import { expandBook } from './record.ts';

/** A quote numbers its own records. */
export type QuoteReferences = Omit<ProposalReferences, 'ids'>;

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

const lastId = (records: readonly { readonly Id: number }[]): number => Math.max(0, ...records.map(({ Id }) => Id));

/** Applies a request to a proposal and prices it; new records are numbered from the last id on. */
function applyAndPrice(before: ProposalRecord, input: ProposalInput, references: QuoteReferences): PricedProposal {
  const needed = countNewIds(before, input);
  const ids = {
    lines: range(lastId(before.Lines) + 1, needed.lines),
    options: range(lastId(before.Options) + 1, needed.options),
    notes: range(1, needed.notes),
  };
  const update = applyProposalInput(before, input, { ...references, ids });
  const lineIds = range(lastId(update.proposal.Lines) + 1, countNewItems(update.proposal));
  return finalizeProposal(before, update, { definitions: references.definitions, lineIds });
}

const toLineInput = (line: TemplatedLine): LineInput => ({
  Part: line.partId ? { Id: line.partId } : null,
  Quantity: line.quantity,
  ProposalOption: line.option ? { Name: line.option } : undefined,
  LineDescription: line.description || undefined,
  Notes: line.notes,
  SortIndex: line.sortIndex,
  IsInternal: line.isInternal || undefined,
});

/** The priced proposal of a template alone. The request is then applied to it and refers to its lines by number. */
function priceTemplate(
  blank: ProposalRecord,
  template: ProposalTemplate,
  quantity: number,
  references: QuoteReferences,
): PricedProposal {
  const { description, customerNotes, quantity: requested, lines } = expandTemplate(template, quantity);
  const lineNumbers = lines.map(({ id }) => id);
  const input: ProposalInput = {
    Quantity: requested,
    Description: description || undefined,
    CustomerNotes: customerNotes,
    ProposalLines: lines.map(toLineInput),
  };
  const ids = { lines: lineNumbers, options: lineNumbers, notes: [] };
  const update = applyProposalInput(blank, input, { ...references, ids });
  const freeIds = new Set(lines.flatMap(({ id, isZeroPrice }) => (isZeroPrice ? id : [])));
  const Lines = update.proposal.Lines.map((line) => ({ ...line, IsZeroPrice: freeIds.has(line.Id) }));
  const proposal = { ...update.proposal, ProposalTemplateId: template.Id, Lines };
  const lineIds = range(lines.length + 1, countNewItems(proposal));
  const result = finalizeProposal(blank, { ...update, proposal }, { definitions: references.definitions, lineIds });
  if (result.kind === 'priced') return result;
  // The request only names the template, not its fields.
  const errors = result.errors.map(({ field, message, ...error }) => ({
    ...error,
    field: 'ProposalTemplateId',
    message: `cannot be quoted: in template ${template.Id}, ${field} ${message}`,
  }));
  return { kind: 'invalid', errors };
}

/**
 * Replaces the free lines of a template by fully discounted lines, which a request can contain, so that the quote can
 * be sent to create. A part that is excluded from discounts is free only in the quote.
 */
function discountFreeLines(quoted: PricedProposal, { definitions }: QuoteReferences): PricedProposal {
  if (quoted.kind === 'invalid') return quoted;
  const { parts } = expandBook(quoted.proposal.Book);
  const { Lines } = quoted.proposal;
  const isFree = Lines.map(({ IsZeroPrice, PartId }) => IsZeroPrice && !parts.get(PartId)?.IsExcludeFromDiscounts);
  if (!isFree.includes(true)) return quoted;
  const fullPrice = { IsZeroPrice: false, Discount: null, MaxDiscount: null };
  const charged = Lines.map((line, index) => (isFree[index] ? { ...line, ...fullPrice } : line));
  const breakdown = price(toPriceRequest({ ...quoted.proposal, Lines: charged }, definitions));
  if (Array.isArray(breakdown)) return { kind: 'invalid', errors: breakdown };
  const discounted = charged.map((line, index) =>
    isFree[index] ? { ...line, Discount: breakdown.lines[index]?.extended || null } : line,
  );
  return priceProposal({ ...quoted.proposal, Lines: discounted }, { definitions, lineIds: [] });
}

/**
 * A proposal that is not stored: the request applied to the template, if any, with the rules and prices of create.
 * Lines and options are numbered from 1: the template's lines by their index, then the items of assemblies and new
 * lines.
 */
export function priceQuote(
  blank: ProposalRecord,
  { template, input }: { readonly template: ProposalTemplate | undefined; readonly input: ProposalInput },
  references: QuoteReferences,
): PricedProposal {
  if (!template) return applyAndPrice(blank, input, references);
  const priceFor = (quantity: number): PricedProposal => {
    const begun = priceTemplate(blank, template, quantity, references);
    return begun.kind === 'invalid' ? begun : applyAndPrice(begun.proposal, input, references);
  };
  const first = priceFor(0);
  if (!template.ProposalTemplateLines.some(({ QtyIsPercent }) => QtyIsPercent))
    return discountFreeLines(first, references);
  // Percentages refer to the proposal's quantity without them.
  const quantity = first.kind === 'priced' ? first.proposal.Quantity : input.Quantity || template.Quantity || 1;
  return discountFreeLines(priceFor(quantity), references);
}

/** A line of a template, for a proposal with a certain quantity. */
interface TemplatedLine {
  /** Its index among the template's lines, from 1. */
  readonly id: number;
  /** 0 for a line without a part; a template has no price for it. */
  readonly partId: number;
  /** `null` leaves it to the part and the service. */
  readonly quantity: number | null;
  /** As first written in the template; `''` if the line always counts. */
  readonly option: string;
  readonly description: string;
  readonly notes: string;
  readonly sortIndex: number;
  readonly isInternal: boolean;
  readonly isZeroPrice: boolean;
}

/** The content of a proposal made from a template, before the request is applied. */
export interface ExpandedTemplate {
  readonly quantity: number | null;
  readonly description: string;
  readonly customerNotes: string;
  readonly lines: readonly TemplatedLine[];
}

/**
 * Expands a template. A line's Quantity with QtyIsPercent is a percentage of `quantity`, the proposal's priced
 * quantity: 25 percent of 12 windows are 3. A line is described by its Name, else by its Description; if it has both,
 * the Description is its note. Option names that only differ in case or accents are one option.
 */
export function expandTemplate(template: ProposalTemplate, quantity: number): ExpandedTemplate {
  const optionNames = new Map<string, string>();
  const toOptionName = (name: string): string => {
    const written = name.trim();
    const first = optionNames.get(fold(written)) ?? written;
    optionNames.set(fold(written), first);
    return first;
  };
  const lines = template.ProposalTemplateLines.map((line, index): TemplatedLine => ({
    id: index + 1,
    partId: line.PartId,
    quantity: line.QtyIsPercent && line.Quantity !== null ? multiply(quantity, line.Quantity, 0.01) : line.Quantity,
    option: toOptionName(line.Option),
    description: line.Name || line.Description,
    notes: line.Name ? line.Description : '',
    sortIndex: line.Order,
    isInternal: line.IsInternal,
    isZeroPrice: line.IsZeroPrice,
  }));
  const { Quantity, ServiceDescription, CustomerNote } = template;
  return { quantity: Quantity, description: ServiceDescription, customerNotes: CustomerNote, lines };
}
