import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { FieldError } from '../../shared/failure.ts';
import { fold } from '../../shared/text/text.ts';
import type { InvoiceInput } from './record.ts';

/** The percentage that taxes the taxable lines of an invoice, its name, and its parts. */
export type TaxRate = Pick<InvoiceRecord, 'TaxRate' | 'RateName' | 'TaxParts'>;
type TaxRateInput = Pick<InvoiceInput, 'TaxRate' | 'RateName'>;

export type TaxRateSource = 'input' | 'unchanged' | 'name' | 'contact';

/**
 * Where the rate comes from: a TaxRate in the input, else a changed RateName, else the invoice. A new invoice, and one
 * whose TaxRate is cleared, takes the contact's rate.
 */
export function taxRateSource(before: TaxRate | undefined, { TaxRate, RateName }: TaxRateInput): TaxRateSource {
  if (typeof TaxRate === 'number') return 'input';
  const name = RateName?.trim();
  if (name && name !== before?.RateName) return 'name';
  return before && TaxRate === undefined ? 'unchanged' : 'contact';
}

/** Their amounts are calculated from the lines. */
const toTaxParts = ({ Parts }: NamedTaxRate): TaxRate['TaxParts'] => Parts.map((part) => ({ ...part, Amount: 0 }));

/**
 * The rate of an invoice. A number with the name of an equal rate of the account has that rate's parts. A name beside
 * another number is stored as it is; a number without a name removes the name of a different number.
 */
export function resolveTaxRate(
  before: TaxRate | undefined,
  input: TaxRateInput,
  { rates, contactRateId }: { readonly rates: readonly NamedTaxRate[]; readonly contactRateId: number | null },
): { readonly rate: TaxRate; readonly errors: readonly FieldError[] } {
  const name = input.RateName?.trim();
  const nameOr = (fallback: string) => (input.RateName === undefined ? fallback : (name ?? ''));
  const source = taxRateSource(before, input);
  if (source === 'input') {
    const TaxRate = input.TaxRate ?? 0;
    const isPercentage = TaxRate >= 0 && TaxRate <= 100;
    const same = before?.TaxRate === TaxRate ? before : undefined;
    const RateName = nameOr(same?.RateName ?? '');
    const known = rates.find((rate) => rate.TaxRate === TaxRate && fold(rate.Name) === fold(RateName));
    return {
      rate: { TaxRate, RateName, TaxParts: known ? toTaxParts(known) : (same?.TaxParts ?? []) },
      errors: isPercentage ? [] : [{ field: 'TaxRate', code: 'range', message: 'must be a percentage from 0 to 100' }],
    };
  }
  if (source === 'unchanged')
    return {
      rate: {
        TaxRate: before?.TaxRate ?? 0,
        RateName: nameOr(before?.RateName ?? ''),
        TaxParts: before?.TaxParts ?? [],
      },
      errors: [],
    };
  const found = rates.find(({ Id, Name }) =>
    source === 'name' ? fold(Name) === fold(name ?? '') : Id === contactRateId,
  );
  if (found) return { rate: { TaxRate: found.TaxRate, RateName: found.Name, TaxParts: toTaxParts(found) }, errors: [] };
  const message = 'is not a tax rate of the account. Use the name of one, or add TaxRate';
  return {
    rate: { TaxRate: 0, RateName: '', TaxParts: [] },
    errors: source === 'name' ? [{ field: 'RateName', code: 'not_found', message }] : [],
  };
}
