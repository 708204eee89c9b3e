import { type Output, described, extension, many } from '../resources/fields.ts';
import { decimal, double, id, listOf, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

const MAX_TAX_PARTS = 5;

/** A component of a named tax rate: its percentage, and the number under which the company pays it. */
export const taxRatePart = {
  Name: text({ max: 50, resource: true }),
  TaxRate: double({ resource: true, description: 'Percent.' }),
  RegistrationNumber: text({ max: 50, resource: true, description: 'Of the company, for this tax.' }),
};

/** A component of the tax on an invoice or a proposal. */
export const taxPart = { ...taxRatePart, Amount: decimal({ resource: true }) };

export const namedTaxRate = {
  Id: id({ resource: true }),
  Name: text({ max: 100, resource: true }),
  TaxRate: double({ resource: true, description: 'Percent: 8.875 adds 8.88 to 100.00.' }),
  Parts: listOf(taxRatePart),
};

export const TaxRatePart = /* @__PURE__ */ resourceOf({ name: 'TaxRatePart', declared: taxRatePart });
export type TaxRatePart = Output<typeof TaxRatePart>;

export const TaxPart = /* @__PURE__ */ resourceOf({ name: 'TaxPart', declared: taxPart });

export const NamedTaxRate = /* @__PURE__ */ resourceOf({ name: 'NamedTaxRate', declared: namedTaxRate }, {}, () => ({
  Parts: extension(described(many(TaxRatePart, MAX_TAX_PARTS), 'Taxes that make up the rate; each is rounded itself.')),
}));
export type NamedTaxRate = Output<typeof NamedTaxRate>;
