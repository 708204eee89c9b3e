import type { Fault } from '../../lib/domain/faults.ts';

/** Why something cannot be done, as what lies beside the bundle answers it: 400 with faults, 404, or 409 with a sentence. */
export type Refusal =
  | { readonly refused: 'faults'; readonly faults: readonly Fault[] }
  | { readonly refused: 'conflict'; readonly message: string }
  | { readonly refused: 'missing'; readonly what: string; readonly field: string; readonly id: number };

export const faults = (...of: readonly Fault[]): Refusal => ({ refused: 'faults', faults: of });

export const conflicting = (message: string): Refusal => ({ refused: 'conflict', message });

export const isRefusal = (answer: unknown): answer is Refusal => typeof answer === 'object' && answer !== null && 'refused' in answer;
