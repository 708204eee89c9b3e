import type { PartTemplate } from '../../resources/parts.ts';
import type { ServiceEntry } from '../../resources/price-book.ts';
import type { Fault } from '../faults.ts';
import { bandsSaid } from './bands.ts';
import { blankService } from './blank.ts';
import { checkFormula } from './formulas.ts';
import type { Identified } from './identify.ts';
import type { Ids } from './ids.ts';
import { checkSize, notNegative } from './limits.ts';
import { momentSaid, nameSaid, overlay, type Aliases } from './overlay.ts';
import type { BandRecord, ServiceRecord } from './records.ts';
import { referred, referredList, type References } from './references.ts';

/** Kept name (the detailed variant's) → the base variant's. */
const ALIASES: Aliases = {
  BaseDuration: 'Duration',
  IsSubscription: 'Subscription',
  SubscriptionProRate: 'Prorating',
  VisitCount: 'SubscriptionVisits',
  IntervalDays: 'SubscriptionInterval',
  CapacityDemandOverrideCustomFieldId: 'CapacityDemandOverrdieCustomFieldId',
};

/** Fields that are not simply what an entry says. */
const APART = [
  'V', 'Id', 'OrganizationId', 'PricingBands', 'LimitedPartIds', 'BrandingRevenueCategoryId',
  'QuantityOverridePartCategoryId', 'SeasonStart', 'SeasonExpiration',
] as const;

/** The custom fields that override a service's numbers. */
export const SERVICE_OVERRIDES = [
  'QuantityOverrideCustomFieldId', 'BasePriceOverrideCustomFieldId', 'UnitPriceOverrideCustomFieldId',
  'DurationOverrideCustomFieldId', 'CapacityDemandOverrideCustomFieldId',
] as const;

const blank = blankService(0, null);
const apart: ReadonlySet<string> = new Set([...APART, ...SERVICE_OVERRIDES]);
const plain = Object.keys(blank).filter((name) => !apart.has(name)) as (keyof ServiceRecord & string)[];

const blankBand: BandRecord = {
  Id: 0, AtLeast: 0, LessThan: null, Price: 0, IsExcludeQuantity: false, IsOverageMode: false, CapacityDemand: null,
  Formula: '', Duration: 0, InitialNRecurringPrice: null, IsOverageBand: false,
};

/** What is to be known of the book to say what a thing becomes. */
export interface Saying {
  readonly references: References;
  readonly formulaNames: ReadonlySet<string>;
  readonly ids: Ids;
  readonly zone: string;
  /** The part templates as they will be. */
  readonly partTemplates: ReadonlyMap<number, PartTemplate>;
}

type Links = Pick<
  ServiceRecord,
  (typeof SERVICE_OVERRIDES)[number] | 'BrandingRevenueCategoryId' | 'QuantityOverridePartCategoryId' | 'LimitedPartIds'
>;

/** The other things that an entry names. */
function linksSaid(entry: ServiceEntry, field: string, { references }: Saying, faults: Fault[]): Partial<Links> {
  const links: Record<string, unknown> = {};
  for (const name of SERVICE_OVERRIDES) {
    const said = nameSaid(entry, name, ALIASES) as typeof name;
    const nameField = name.slice(0, -'Id'.length) as 'QuantityOverrideCustomField';
    const reference = { id: entry[said], idField: `${field}.${said}`, name: entry[nameField], nameField: `${field}.${nameField}` };
    links[name] = referred(references.customFields, reference, faults);
  }
  const category = entry.BrandingRevenueCategory;
  const at = `${field}.BrandingRevenueCategory`;
  const named = { id: category === null ? null : category?.Id, idField: `${at}.Id`, name: category?.Name, nameField: `${at}.Name` };
  links['BrandingRevenueCategoryId'] = referred(references.revenueCategories, named, faults);
  links['QuantityOverridePartCategoryId'] = referred(
    references.partCategories,
    {
      id: entry.QuantityOverridePartCategoryId, idField: `${field}.QuantityOverridePartCategoryId`,
      name: entry.QuantityOverridePartCategory, nameField: `${field}.QuantityOverridePartCategory`,
    },
    faults,
  );
  links['LimitedPartIds'] = referredList(
    references.parts,
    { ids: entry.LimitedPartIds, names: entry.LimitedParts },
    { ids: `${field}.LimitedPartIds`, names: `${field}.LimitedParts` },
    faults,
  );
  return Object.fromEntries(Object.entries(links).filter(([, value]) => value !== undefined));
}

function check(service: ServiceRecord, entry: ServiceEntry, field: string, names: ReadonlySet<string>): Fault[] {
  const { SchedulingMode: mode, SeasonStart: start, SeasonExpiration: end } = service;
  return [
    ...(service.Name ? [] : [{ field: `${field}.Name`, message: 'is required' }]),
    ...notNegative(service, ['MinimumCharge', 'MinimumSubtotal'], field),
    ...(Number.isInteger(mode) && mode >= 0 && mode <= 4 ? [] : [{ field: `${field}.SchedulingMode`, message: 'must be 0 to 4' }]),
    ...(start && end && start > end
      ? [{ field: `${field}.${entry.SeasonExpiration === undefined ? 'SeasonStart' : 'SeasonExpiration'}`, message: `must not begin after it ends: SeasonStart is ${start}, SeasonExpiration ${end}` }]
      : []),
    ...(entry.QuantityFormula === undefined ? [] : checkFormula(service.QuantityFormula, names, `${field}.QuantityFormula`)),
    ...checkSize(service, field),
  ];
}

/**
 * A service with what an entry says laid over it: absent leaves a field, `null` clears it, PricingBands and
 * LimitedPartIds given are all that there are then. Its parts (AvailableParts) are the plan's.
 */
export function serviceSaid(
  { field, entry, id, before }: Identified<ServiceEntry, ServiceRecord>,
  organizationId: number | null,
  saying: Saying,
): { service: ServiceRecord; faults: Fault[] } {
  const faults: Fault[] = [];
  const was = before ?? blankService(id, organizationId);
  const { ids, zone, formulaNames: names } = saying;
  const start = momentSaid(entry.SeasonStart, was.SeasonStart, { field: `${field}.SeasonStart`, zone });
  const end = momentSaid(entry.SeasonExpiration, was.SeasonExpiration, { field: `${field}.SeasonExpiration`, zone, end: true });
  const bands = entry.PricingBands === undefined
    ? { bands: was.PricingBands, faults: [] }
    : bandsSaid({ given: entry.PricingBands ?? [], before: was.PricingBands, blank: blankBand, kind: 'PricingBand', ids, names, field: `${field}.PricingBands` });
  const service: ServiceRecord = {
    ...overlay(was, entry, { names: plain, blank, aliases: ALIASES }),
    ...linksSaid(entry, field, saying, faults),
    SeasonStart: start.value,
    SeasonExpiration: end.value,
    PricingBands: bands.bands,
  };
  return { service, faults: [...faults, ...start.faults, ...end.faults, ...bands.faults, ...check(service, entry, field, names)] };
}
