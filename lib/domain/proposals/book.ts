import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import { blankPart, blankService } from '../pricebook/blank.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/records.ts';
import type { PricedField } from '../pricing.ts';
import type { QuotedBook } from './record.ts';

/** What a proposal is priced by, whole again. */
export interface WholeBook {
  readonly service: ServiceRecord;
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  readonly fields: readonly PricedField[];
}

/** What the price book said once; a version of it would be no one's any more. */
const differing = <Thing extends { readonly V: number }>(thing: Thing, blank: Thing): Partial<Thing> =>
  Object.fromEntries(
    Object.entries(blank).flatMap(([name, usual]) => {
      const value: unknown = thing[name as keyof Thing];
      return name === 'V' || JSON.stringify(value) === JSON.stringify(usual) ? [] : [[name, value]];
    }),
  ) as Partial<Thing>;

/** A book as a proposal keeps it: a part of the usual kind is 100 bytes instead of 1,500. */
export const compactBook = ({ service, parts, templates, fields }: WholeBook): QuotedBook => ({
  Service: differing(service, blankService(0, null)),
  Parts: [...parts.values()].map((part) => ({ ...differing(part, blankPart(0)), Id: part.Id })),
  Templates: [...templates.values()],
  Fields: fields.map(({ Id, Shortcode, Value }) => ({ Id, Shortcode, Value })),
});

/** The book again, as it was. */
export const wholeBook = ({ Service, Parts, Templates, Fields }: QuotedBook): WholeBook => ({
  service: { ...blankService(0, null), ...Service },
  parts: new Map(Parts.map((part) => [part.Id, { ...blankPart(part.Id), ...part }])),
  templates: new Map(Templates.map((template) => [template.Id, template])),
  fields: Fields,
});

const overridesOf = (thing: ServiceRecord | PartRecord): unknown[] =>
  Object.entries(thing).flatMap(([name, value]) => (name.endsWith('OverrideCustomFieldId') ? [value] : []));

const formulasOf = (service: ServiceRecord, parts: readonly PartRecord[]): string[] => [
  service.QuantityFormula,
  ...service.PricingBands.map(({ Formula }) => Formula),
  ...parts.flatMap(({ QuantityFormula, QtyPricing }) => [QuantityFormula, ...QtyPricing.map(({ Formula }) => Formula)]),
];

/** The custom fields that overrides and formulas of a service and its parts can read. */
export function fieldsRead(
  { service, parts }: Pick<WholeBook, 'service' | 'parts'>,
  definitions: readonly CustomField[],
): CustomField[] {
  const all = [...parts.values()];
  const ids = new Set([service, ...all].flatMap(overridesOf));
  const names = new Set(formulasOf(service, all).flatMap((formula) => formula.match(/\w+/g) ?? []));
  return definitions.filter(({ Id, Shortcode }) => ids.has(Id) || names.has(Shortcode));
}
