import { moneyText } from '../money-text.ts';
import type { OptionTotals } from '../pricing.ts';
import type { OptionRecord } from './record.ts';

/**
 * What a proposal comes to with each of its options, in words; `""` where no line is of an option. `With one option
 * alone, and tax: Good 1,200.00, Better 1,450.00 (selected), Best 1,900.00.`
 */
export function optionsSentence(options: readonly OptionRecord[], totals: readonly OptionTotals[]): string {
  const told = options.flatMap(({ Id, Name, Selected }) => {
    const of = totals.find(({ optionId }) => optionId === Id);
    return of ? [`${Name} ${moneyText(of.total)}${Selected ? ' (selected)' : ''}`] : [];
  });
  return told.length ? `With one option alone, and tax: ${told.join(', ')}.` : '';
}
