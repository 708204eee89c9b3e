import Big from 'big.js';
import { add, money } from '../../shared/money.ts';
import type { ProposalRecord } from './record.ts';

type DepositTerms = Pick<ProposalRecord, 'DepositRequired' | 'DepositRate' | 'Subtotal' | 'Tax'>;

/**
 * What is due at once where a deposit is required: 12.5 % of 1,340.00 + 107.20 = 1,447.20 are 180.90. Nothing of what
 * comes to nothing, or is a credit.
 */
export function depositDue({ DepositRequired, DepositRate, Subtotal, Tax }: DepositTerms): number {
  const total = add(Subtotal, Tax);
  return DepositRequired && DepositRate && total > 0 ? money(new Big(total).times(DepositRate).div(100)) : 0;
}
