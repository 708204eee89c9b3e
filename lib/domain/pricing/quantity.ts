import Big from 'big.js';
import { decimal } from '../../shared/money.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { type Fields, type AddError, formulaValue, applyOverride } from './fields.ts';
import { serviceRates } from './rates.ts';

/** A quantity has 4 decimals and is not negative. */
export function checked(quantity: Big | number, field: string, say: AddError): Big {
  const rounded = decimal(quantity);
  if (rounded < 0) say(field, `must be at least 0, not ${rounded}`);
  return new Big(Math.max(rounded, 0));
}

/**
 * A service's quantity: what its override field says, else its QuantityFormula over the quantity it would have without;
 * that is the sum over the lines of QuantityOverridePartCategoryId (`ofCategory`, where there are such lines), else the
 * one given, else 1.
 */
export function serviceQuantity(
  service: ServiceRecord,
  { input, ofCategory }: { input: number | null | undefined; ofCategory: number | undefined },
  fields: Fields,
  say: AddError,
): Big {
  const said = applyOverride(fields, service.QuantityOverrideCustomFieldId);
  if (said !== undefined) return checked(said, 'CustomFields', say);
  const quantity = checked(ofCategory ?? input ?? 1, 'Quantity', say);
  if (service.QuantityFormula.trim() === '') return quantity;
  const fault = { say, field: 'ServiceId', whose: 'QuantityFormula' };
  return checked(
    formulaValue(service.QuantityFormula, fields, { ...serviceRates(service, fields), quantity }, fault),
    'Quantity',
    say,
  );
}

/** Whether a part's quantity follows its service's, or a field: it is then no one's to say. */
export const isFollowing = (part: PartRecord): boolean =>
  part.QuantityFormula.trim() !== '' || part.SyncQtyWithServiceQty;

/**
 * The quantity of a line: what the part's override field says, else its QuantityFormula, in which `quantity` is the
 * service's (so that a line priced again keeps its quantity), else the service's where it is synchronised, else the one
 * given, else 1.
 */
export function lineQuantity(
  part: PartRecord | null,
  { input, ofService, base }: { input: number | null | undefined; ofService: Big; base: Big },
  fields: Fields,
  fault: { say: AddError; field: string; part: string },
): Big {
  const { say, field } = fault;
  const said = part ? applyOverride(fields, part.QuantityOverrideCustomFieldId) : undefined;
  if (said !== undefined) return checked(said, `${field}.CustomFields`, say);
  if (part && part.QuantityFormula.trim() !== '') {
    const formula = { say, field: fault.part, whose: 'QuantityFormula' };
    return checked(
      formulaValue(part.QuantityFormula, fields, { quantity: ofService, base, unit: part.UnitPrice }, formula),
      fault.part,
      say,
    );
  }
  if (part?.SyncQtyWithServiceQty) return ofService;
  return checked(input ?? 1, `${field}.Quantity`, say);
}
