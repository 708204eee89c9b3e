import type { ProposalTemplate } from '../../resources/proposals.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { multiply } from '../../shared/money.ts';
import { fold } from '../../shared/text.ts';
import { price } from '../pricing/price.ts';
import { applyProposalInput } from './apply-input.ts';
import type { LineInput, ProposalInput, ProposalReferences } from './input.ts';
import { countNewIds } from './lines.ts';
import { type PricedProposal, countAssemblyItems, priceProposal, toPriceRequest, finalizeProposal } from './price.ts';
import { type ProposalRecord, expandBook } from './record.ts';

/** What a quote draws on; ids are its own affair. */
export type QuoteReferences = Omit<ProposalReferences, 'ids'>;

/** So many numbers from one on. */
const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

const lastId = (records: readonly { readonly Id: number }[]): number => Math.max(0, ...records.map(({ Id }) => Id));

/** Tells a proposal what is given, and prices it; what is new is numbered on from what there is. */
function tellAndPrice(before: ProposalRecord, input: ProposalInput, around: QuoteReferences): PricedProposal {
  const needs = countNewIds(before, input);
  const ids = {
    lines: numbers(lastId(before.Lines) + 1, needs.lines),
    options: numbers(lastId(before.Options) + 1, needs.options),
    notes: numbers(1, needs.notes),
  };
  const told = applyProposalInput(before, input, { ...around, ids });
  const lineIds = numbers(lastId(told.proposal.Lines) + 1, countAssemblyItems(told.proposal));
  return finalizeProposal(before, told, { definitions: around.definitions, lineIds });
}

const lineSaid = (line: TemplatedLine): LineInput => ({
  Part: line.partId ? { Id: line.partId } : null,
  Quantity: line.quantity,
  ProposalOption: line.option ? { Name: line.option } : undefined,
  LineDescription: line.description || undefined,
  Notes: line.notes,
  SortIndex: line.sortIndex,
  IsInternal: line.isInternal || undefined,
});

/** A template's faults are nothing that the request says, but that it names the template. */
const ofTemplate = ({ Id }: ProposalTemplate, errors: readonly FieldError[]): FieldError[] =>
  errors.map(({ field, message }) => ({
    field: 'ProposalTemplateId',
    message: `cannot be quoted: in template ${Id} ${field} ${message}`,
  }));

/** A proposal as a template begins it, priced, so that what is laid over it finds the lines as they were answered. */
function begin(
  blank: ProposalRecord,
  { template, quantity }: { readonly template: ProposalTemplate; readonly quantity: number },
  around: QuoteReferences,
): PricedProposal {
  const { description, customerNotes, quantity: asked, lines } = expandTemplate(template, quantity);
  const ids = { lines: lines.map(({ id }) => id), options: lines.map(({ id }) => id), notes: [] };
  const said: ProposalInput = {
    Quantity: asked,
    Description: description || undefined,
    CustomerNotes: customerNotes,
    ProposalLines: lines.map(lineSaid),
  };
  const told = applyProposalInput(blank, said, { ...around, ids });
  const free = new Set(lines.flatMap(({ id, isZeroPrice }) => (isZeroPrice ? id : [])));
  const Lines = told.proposal.Lines.map((line) => ({ ...line, IsZeroPrice: free.has(line.Id) }));
  const proposal = { ...told.proposal, ProposalTemplateId: template.Id, Lines };
  const lineIds = numbers(lines.length + 1, countAssemblyItems(proposal));
  const priced = finalizeProposal(blank, { ...told, proposal }, { definitions: around.definitions, lineIds });
  return priced.kind === 'invalid' ? { ...priced, errors: ofTemplate(template, priced.errors) } : priced;
}

/**
 * Lines that a template has free of charge, as a request can say it too: with all that they cost taken off, so that
 * what is answered can be sent to create. A part that is excluded from discounts costs nothing only here.
 */
function withFreeLines(quoted: PricedProposal, { definitions }: QuoteReferences): PricedProposal {
  if (quoted.kind === 'invalid') return quoted;
  const { parts } = expandBook(quoted.proposal.Book);
  const { Lines } = quoted.proposal;
  const isFree = Lines.map(({ IsZeroPrice, PartId }) => IsZeroPrice && !parts.get(PartId)?.IsExcludeFromDiscounts);
  if (!isFree.includes(true)) return quoted;
  const charge = { IsZeroPrice: false, Discount: null, MaxDiscount: null };
  const charged = Lines.map((line, place) => (isFree[place] ? { ...line, ...charge } : line));
  const priced = price(toPriceRequest({ ...quoted.proposal, Lines: charged }, definitions));
  if (Array.isArray(priced)) return { kind: 'invalid', errors: priced };
  const off = charged.map((line, place) => {
    const Discount = priced.lines[place]?.extended || null;
    return isFree[place] ? { ...line, Discount } : line;
  });
  return priceProposal({ ...quoted.proposal, Lines: off }, { definitions, lineIds: [] });
}

/**
 * A proposal that nobody keeps: what is given laid over the template, if there is one, by the same merge and prices as
 * a proposal that is made. Lines and options are numbered from 1: the template's lines by their place, the items of
 * assemblies and what is given besides after them.
 */
export function quoteProposal(
  blank: ProposalRecord,
  { template, input }: { readonly template: ProposalTemplate | undefined; readonly input: ProposalInput },
  around: QuoteReferences,
): PricedProposal {
  if (!template) return tellAndPrice(blank, input, around);
  const quoted = (quantity: number): PricedProposal => {
    const begun = begin(blank, { template, quantity }, around);
    return begun.kind === 'invalid' ? begun : withFreeLines(tellAndPrice(begun.proposal, input, around), around);
  };
  if (!template.ProposalTemplateLines.some(({ QtyIsPercent }) => QtyIsPercent)) return quoted(0);
  // Percentages are of the quantity that the proposal comes to without them.
  const without = quoted(0);
  return quoted(without.kind === 'priced' ? without.proposal.Quantity : input.Quantity || template.Quantity || 1);
}

/** A line that a proposal made from a template begins with. */
export interface TemplatedLine {
  /** Its place among the template's lines, from 1. */
  readonly id: number;
  /** 0: a line of no part, which a template has no price for. */
  readonly partId: number;
  /** `null` leaves it to the part and the service. */
  readonly quantity: number | null;
  /** As it is first written; `''` when the line always counts. */
  readonly option: string;
  readonly description: string;
  readonly notes: string;
  readonly sortIndex: number;
  readonly isInternal: boolean;
  readonly isZeroPrice: boolean;
}

/** What a proposal made from a template says before anything else is said. */
export interface Templated {
  readonly quantity: number | null;
  readonly description: string;
  readonly customerNotes: string;
  readonly lines: readonly TemplatedLine[];
}

/**
 * A template's own sayings. A line's Quantity with QtyIsPercent is so many percent of `quantity`, the proposal's as it
 * is priced: 12 windows and 25 percent are 3. A line is described by its Name, else by its Description; where it has
 * both, the Description is its note. Option names that differ in case or accents alone are one option.
 */
export function expandTemplate(template: ProposalTemplate, quantity: number): Templated {
  const options = new Map<string, string>();
  const optionOf = (name: string): string => {
    const written = name.trim();
    const known = options.get(fold(written)) ?? written;
    options.set(fold(written), known);
    return known;
  };
  const lines = template.ProposalTemplateLines.map((line, index): TemplatedLine => {
    const { Name, Description, PartId, Order, IsInternal, IsZeroPrice } = line;
    const share = line.QtyIsPercent && line.Quantity !== null;
    return {
      id: index + 1,
      partId: PartId,
      quantity: share ? multiply(quantity, line.Quantity ?? 0, 0.01) : line.Quantity,
      option: optionOf(line.Option),
      description: Name || Description,
      notes: Name ? Description : '',
      sortIndex: Order,
      isInternal: IsInternal,
      isZeroPrice: IsZeroPrice,
    };
  });
  const { Quantity, ServiceDescription, CustomerNote } = template;
  return { quantity: Quantity, description: ServiceDescription, customerNotes: CustomerNote, lines };
}
