import { invalid } from '../shared/failure.ts';
import type { ReadContext } from './context.ts';

/**
 * The quantity sold: 1 if the request has none, because 0 would become one unit that nobody asked for. Existing
 * programs send 0 for none, so lenient keys get a remark instead of 400.
 */
export function soldQuantity(
  quantity: number | null | undefined,
  { caller, remark }: Pick<ReadContext, 'caller' | 'remark'>,
  field = 'Quantity',
): number {
  if (quantity === undefined || quantity === null) return 1;
  if (quantity === 0 && caller.isLenient && remark) {
    remark(`${field} 0 is taken as 1.`);
    return 1;
  }
  if (quantity > 0) return quantity;
  throw invalid({ field, code: 'range', message: 'must be above 0; leave it out for 1' });
}
