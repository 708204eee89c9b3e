import type { Fault } from '../../lib/domain/faults.ts';

/** Why something cannot be done, as what lies beside the bundle answers it: 400 with faults, or 404. */
export type Refusal =
  | { readonly refused: 'faults'; readonly faults: readonly Fault[] }
  | { readonly refused: 'missing'; readonly what: string; readonly field: string; readonly id: number };

export const faults = (...of: readonly Fault[]): Refusal => ({ refused: 'faults', faults: of });

export const isRefusal = (answer: unknown): answer is Refusal => typeof answer === 'object' && answer !== null && 'refused' in answer;
