import Big from 'big.js';
import { moneyText } from '../money-text.ts';
import type { InvoiceInput } from './merge.ts';
import type { InvoiceRecord } from './record.ts';

const TOLERANCE = '0.01';

/** With 2 decimals, or the 4 that it has. */
const shown = (said: number): string =>
  said === Number(said.toFixed(2)) ? moneyText(said) : new Big(said).toFixed(4);

/**
 * What a caller says that an invoice comes to and that it does not, by more than 0.01; each with both figures. `[]`
 * where all that is said agrees.
 */
export function figureConflicts(
  { Lines, Subtotal, Tax, Total }: InvoiceRecord,
  given: Pick<InvoiceInput, 'Lines' | 'Subtotal' | 'Tax' | 'Total'>,
): string[] {
  const differs = (name: string, said: number | null | undefined, figure: number) =>
    typeof said === 'number' && new Big(said).minus(figure).abs().gt(TOLERANCE)
      ? [`${name} is given as ${shown(said)} and comes to ${moneyText(figure)}`]
      : [];
  return [
    ...(given.Lines ?? []).flatMap(({ Extended }, index) =>
      differs(`Lines[${index}].Extended`, Extended, Lines[index]?.Extended ?? 0),
    ),
    ...differs('Subtotal', given.Subtotal, Subtotal),
    ...differs('Tax', given.Tax, Tax),
    ...differs('Total', given.Total, Total),
  ];
}
