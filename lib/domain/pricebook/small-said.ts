import Big from 'big.js';
import type { PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry } from '../../resources/price-book.ts';
import type { Input } from '../../resources/resource.ts';
import type { BrandingRevenueCategory } from '../../resources/revenue-categories.ts';
import type { Fault } from '../faults.ts';
import { blankDimension, blankPartTemplate, blankRevenueCategory } from './blank.ts';
import type { Identified } from './identify.ts';
import { checkSize, notNegative } from './limits.ts';
import { overlay } from './overlay.ts';
import type { DimensionRecord } from './records.ts';
import { referredList, type Referable } from './references.ts';

interface Said<Thing> {
  readonly thing: Thing;
  readonly faults: Fault[];
}

const required = (name: string, field: string): Fault[] => (name ? [] : [{ field, message: 'is required' }]);

/** A part template with what an entry says laid over it. */
export function partTemplateSaid({ field, entry, id, before }: Identified<Input<typeof PartTemplate>, PartTemplate>): Said<PartTemplate> {
  const blank = blankPartTemplate(id);
  const thing = overlay(before ?? blank, entry, { names: ['OptionName', 'Selected'], blank });
  return { thing, faults: required(thing.OptionName, `${field}.OptionName`) };
}

/** A branding revenue category with what an entry says laid over it; CreatedAt and UpdatedAt are the plan's. */
export function revenueCategorySaid(
  { field, entry, id, before }: Identified<Input<typeof BrandingRevenueCategory>, BrandingRevenueCategory>,
  now: string,
): Said<BrandingRevenueCategory> {
  const blank = blankRevenueCategory(id, now);
  const { Id: _, CreatedAt: __, UpdatedAt: ___, ...plain } = blank;
  const thing = overlay(before ?? blank, entry, { names: Object.keys(plain) as (keyof typeof plain)[], blank });
  const { Minimum: least, Maximum: most, Percentage } = thing;
  return {
    thing,
    faults: [
      ...required(thing.Name, `${field}.Name`),
      ...(Percentage >= 0 && Percentage <= 100 ? [] : [{ field: `${field}.Percentage`, message: 'must be 0 to 100' }]),
      ...notNegative(thing, ['PerInvoiceAmount', 'Minimum', 'Maximum'], field),
      ...(least !== null && most !== null && most < least ? [{ field: `${field}.Maximum`, message: `must be at least Minimum, which is ${least}` }] : []),
    ],
  };
}

const isStep = (value: number, from: number, step: number): boolean => new Big(value).minus(from).mod(step).eq(0);

/** Whether the bounds of a dimension, its step and its options can hold together. */
function consistent({ Minimum: least, Maximum: most, Step: step, Options }: DimensionRecord, field: string): Fault[] {
  const faults: Fault[] = [];
  const say = (name: string, message: string) => faults.push({ field: `${field}.${name}`, message });
  const ordered = least === null || most === null || least <= most;
  if (!ordered) say('Maximum', `must be at least Minimum, which is ${least}`);
  if (step !== null && step <= 0) say('Step', 'must be more than 0');
  else if (step !== null && ordered && least !== null && most !== null && !isStep(most, least, step)) {
    say('Step', `must lead from Minimum ${least} to Maximum ${most} in whole steps`);
  }
  const bounded = least !== null || most !== null || step !== null;
  Options.forEach((option, index) => {
    const value = /^-?\d{1,15}(\.\d{1,15})?$/.test(option) ? Number(option) : undefined;
    const at = `Options[${index}]`;
    if (!option) say(at, 'must not be empty');
    else if (Options.indexOf(option) < index) say(at, `is also Options[${Options.indexOf(option)}]`);
    else if (bounded && value === undefined) say(at, 'must be a number where there is a Minimum, Maximum or Step');
    else if (value !== undefined && least !== null && value < least) say(at, `must be at least Minimum, which is ${least}`);
    else if (value !== undefined && most !== null && value > most) say(at, `must be at most Maximum, which is ${most}`);
    else if (value !== undefined && step !== null && step > 0 && !isStep(value, least ?? 0, step)) say(at, `must be a whole number of Steps of ${step} from ${least ?? 0}`);
  });
  return faults;
}

/** A dimension with what an entry says laid over it. */
export function dimensionSaid(
  { field, entry, id, before }: Identified<DimensionEntry, DimensionRecord>,
  parts: Referable,
): Said<DimensionRecord> {
  const faults: Fault[] = [];
  const blank = blankDimension(id);
  const names = ['Name', 'UnitOfMeasure', 'Minimum', 'Maximum', 'Step', 'Options'] as const;
  const said = overlay(before ?? blank, entry, { names, blank });
  const PartIds = referredList(parts, { ids: undefined, names: entry.Parts }, { ids: '', names: `${field}.Parts` }, faults) ?? said.PartIds;
  const thing = { ...said, PartIds, Options: said.Options.map((option) => option.trim()) };
  return { thing, faults: [...faults, ...required(thing.Name, `${field}.Name`), ...consistent(thing, field), ...checkSize(thing, field)] };
}
