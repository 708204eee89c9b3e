import type { NamedTaxRate } from '../../resources/settings.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { fold } from '../../shared/text.ts';
import type { InvoiceRecord } from './record.ts';

/** The rate that an invoice's taxable lines are taxed at, in percent, and what it is called. */
export type Rate = Pick<InvoiceRecord, 'TaxRate' | 'RateName'>;

interface Given {
  readonly TaxRate?: number | null | undefined;
  readonly RateName?: string | null | undefined;
}

/** Where the rate of an invoice is taken from. */
export type RateSource = 'given' | 'kept' | 'named' | 'contact';

/**
 * Where the rate is taken from: TaxRate where it is a number; else RateName where that is another than the invoice's;
 * else the invoice there is, or, of a new one and where TaxRate is cleared, the contact.
 */
export function rateSource(before: Rate | undefined, { TaxRate, RateName }: Given): RateSource {
  if (typeof TaxRate === 'number') return 'given';
  const name = RateName?.trim();
  if (name && name !== before?.RateName) return 'named';
  return before && TaxRate === undefined ? 'kept' : 'contact';
}

/**
 * The rate of an invoice, with what the account and the contact say where that is asked for. A name beside a number is
 * just kept; a number without one loses the name of another number.
 */
export function resolveRate(
  before: Rate | undefined,
  input: Given,
  { rates, contactRateId }: { readonly rates: readonly NamedTaxRate[]; readonly contactRateId: number | null },
): { readonly rate: Rate; readonly errors: readonly FieldError[] } {
  const name = input.RateName?.trim();
  const source = rateSource(before, input);
  if (source === 'given') {
    const TaxRate = input.TaxRate ?? 0;
    const former = before?.TaxRate === TaxRate ? before.RateName : '';
    const rate = { TaxRate, RateName: input.RateName === undefined ? former : (name ?? '') };
    const isRate = TaxRate >= 0 && TaxRate <= 100;
    return { rate, errors: isRate ? [] : [{ field: 'TaxRate', message: 'must be a percentage from 0 to 100' }] };
  }
  if (source === 'kept') {
    const { TaxRate = 0, RateName = '' } = before ?? {};
    return { rate: { TaxRate, RateName: input.RateName === undefined ? RateName : (name ?? '') }, errors: [] };
  }
  const found = rates.find(({ Id, Name }) =>
    source === 'named' ? fold(Name) === fold(name ?? '') : Id === contactRateId,
  );
  if (found) return { rate: { TaxRate: found.TaxRate, RateName: found.Name }, errors: [] };
  const unknown = { field: 'RateName', message: 'is no tax rate of the account; give TaxRate beside it, or name one' };
  return { rate: { TaxRate: 0, RateName: '' }, errors: source === 'named' ? [unknown] : [] };
}
