import Big from 'big.js';
import { cents } from './cents.ts';

/** Whether a line costs a percentage; 0 is what typed clients send for nothing. */
export const isPercent = ({ ratePercent }: { readonly ratePercent?: number | null | undefined }): boolean => Boolean(ratePercent);

/**
 * A percentage of the other lines: of what those that count cost after their own discounts, themselves no percentages,
 * so that neither order nor number of percent lines changes any. The service is no line. 7.5 % of 333.33 → 25.00.
 */
export const percentOf = (ratePercent: number, othersCents: number): number =>
  cents(new Big(othersCents).times(ratePercent).times('0.0001'));
