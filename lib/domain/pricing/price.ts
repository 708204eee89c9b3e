import { expand, standings } from './assemblies.ts';
import { evaluate, type Prepared } from './evaluate.ts';
import { readFields } from './fields.ts';
import { lineFields } from './lines.ts';
import { optionIds } from './options.ts';
import type { Priced, PriceFault, PriceRequest, Totals } from './types.ts';

const totalsOf = ({ lines: _, quantity: __, service: ___, rates: ____, ...totals }: Omit<Priced, 'options'>): Totals => totals;

/**
 * What a service with its lines costs and how long it takes (interface, section 7; docs/decisions/0009-pricing.md): one
 * answer for slotsearch, quote, book, proposals and invoices. Pure; nothing of the request is changed. Either
 * everything is priced, or all that is at fault is told.
 */
export function price(request: PriceRequest): Priced | PriceFault[] {
  const faults = new Map<string, PriceFault>();
  const say = (field: string, message: string): void => {
    const fault = `${field} ${message}`;
    if (!faults.has(fault)) faults.set(fault, { field, message });
  };
  const nodes = expand(request, say);
  if (faults.size) return [...faults.values()];
  const fields = readFields(request.customFields);
  const prepared: Prepared = { request, nodes, standing: standings(nodes), fields, lineFields: lineFields(nodes, request, fields) };
  const selected = new Set(request.selectedOptionIds);
  const priced = evaluate(prepared, selected, say);
  const isAlone = (id: number): boolean => selected.size === 1 && selected.has(id);
  const alone = new Map(optionIds(prepared.standing).map((id) => [id, isAlone(id) ? priced : evaluate(prepared, new Set([id]), say)]));
  if (faults.size) return [...faults.values()];
  const lines = priced.lines.map((line, place) => {
    // What of an option that is not selected costs, is what it would cost.
    const other = line.optionId === null || selected.has(line.optionId) ? undefined : alone.get(line.optionId)?.lines[place];
    return other ? { ...other, counts: false } : line;
  });
  const options = [...alone].map(([optionId, of]) => ({ ...totalsOf(of), optionId, selected: selected.has(optionId) }));
  return { ...priced, lines, options };
}
