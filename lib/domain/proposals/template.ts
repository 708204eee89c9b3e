import type { ProposalTemplate } from '../../resources/proposal-templates.ts';
import { multiply } from '../decimals.ts';
import { fold } from '../words.ts';

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
  return {
    quantity: Quantity,
    description: ServiceDescription,
    customerNotes: CustomerNote,
    lines,
  };
}
