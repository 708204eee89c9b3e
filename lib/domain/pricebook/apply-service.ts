import type { PartTemplate } from '../../resources/parts.ts';
import type { ServiceEntry } from '../../resources/price-book.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import {
  type Aliases,
  type AppliedEntries,
  applyBands,
  momentInput,
  nameInput,
  applyFields,
  partsField,
} from './apply-entry.ts';
import { isAvailable } from './availability.ts';
import { checkFormula, checkSize, notNegative } from './checks.ts';
import type { ResolvedBook } from './plan.ts';
import { type BandRecord, type PartRecord, type PriceBook, type ServiceRecord, blankService } from './record.ts';
import { type Identified, type Ids, type References, resolveReference, resolveReferences } from './references.ts';

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
  'V',
  'Id',
  'OrganizationId',
  'PricingBands',
  'LimitedPartIds',
  'BrandingRevenueCategoryId',
  'QuantityOverridePartCategoryId',
  'SeasonStart',
  'SeasonExpiration',
] as const;

/** The custom fields that override a service's numbers. */
export const SERVICE_OVERRIDES = [
  'QuantityOverrideCustomFieldId',
  'BasePriceOverrideCustomFieldId',
  'UnitPriceOverrideCustomFieldId',
  'DurationOverrideCustomFieldId',
  'CapacityDemandOverrideCustomFieldId',
] as const;

const blank = blankService(0, null);
const apart: ReadonlySet<string> = new Set([...APART, ...SERVICE_OVERRIDES]);
const plain = Object.keys(blank).filter((name) => !apart.has(name)) as (keyof ServiceRecord & string)[];

const blankBand: BandRecord = {
  Id: 0,
  AtLeast: 0,
  LessThan: null,
  Price: 0,
  IsExcludeQuantity: false,
  IsOverageMode: false,
  CapacityDemand: null,
  Formula: '',
  Duration: 0,
  InitialNRecurringPrice: null,
  IsOverageBand: false,
};

/** What is to be known of the book to say what a thing becomes. */
export interface EntryContext {
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
function linksSaid(
  entry: ServiceEntry,
  field: string,
  { references }: EntryContext,
  errors: FieldError[],
): Partial<Links> {
  const links: Record<string, unknown> = {};
  for (const name of SERVICE_OVERRIDES) {
    const said = nameInput(entry, name, ALIASES) as typeof name;
    const nameField = name.slice(0, -'Id'.length) as 'QuantityOverrideCustomField';
    const reference = {
      id: entry[said],
      idField: `${field}.${said}`,
      name: entry[nameField],
      nameField: `${field}.${nameField}`,
    };
    links[name] = resolveReference(references.customFields, reference, errors);
  }
  const category = entry.BrandingRevenueCategory;
  const at = `${field}.BrandingRevenueCategory`;
  const named = {
    id: category === null ? null : category?.Id,
    idField: `${at}.Id`,
    name: category?.Name,
    nameField: `${at}.Name`,
  };
  links['BrandingRevenueCategoryId'] = resolveReference(references.revenueCategories, named, errors);
  links['QuantityOverridePartCategoryId'] = resolveReference(
    references.partCategories,
    {
      id: entry.QuantityOverridePartCategoryId,
      idField: `${field}.QuantityOverridePartCategoryId`,
      name: entry.QuantityOverridePartCategory,
      nameField: `${field}.QuantityOverridePartCategory`,
    },
    errors,
  );
  links['LimitedPartIds'] = resolveReferences(
    references.parts,
    { ids: entry.LimitedPartIds, names: entry.LimitedParts },
    { ids: `${field}.LimitedPartIds`, names: `${field}.LimitedParts` },
    errors,
  );
  return Object.fromEntries(Object.entries(links).filter(([, value]) => value !== undefined));
}

function check(service: ServiceRecord, entry: ServiceEntry, field: string, names: ReadonlySet<string>): FieldError[] {
  const { SchedulingMode: mode, SeasonStart: start, SeasonExpiration: end } = service;
  return [
    ...(service.Name ? [] : [{ field: `${field}.Name`, message: 'is required' }]),
    ...notNegative(service, ['MinimumCharge', 'MinimumSubtotal'], field),
    ...(Number.isInteger(mode) && mode >= 0 && mode <= 4
      ? []
      : [{ field: `${field}.SchedulingMode`, message: 'must be 0 to 4' }]),
    ...(start && end && start > end
      ? [
          {
            field: `${field}.${entry.SeasonExpiration === undefined ? 'SeasonStart' : 'SeasonExpiration'}`,
            message: `must not begin after it ends: SeasonStart is ${start}, SeasonExpiration ${end}`,
          },
        ]
      : []),
    ...(entry.QuantityFormula === undefined
      ? []
      : checkFormula(service.QuantityFormula, names, `${field}.QuantityFormula`)),
    ...checkSize(service, field),
  ];
}

/**
 * A service with what an entry says laid over it: absent leaves a field, `null` clears it, PricingBands and
 * LimitedPartIds given are all that there are then. Its parts (AvailableParts) are the plan's.
 */
export function applyService(
  { field, entry, id, before }: Identified<ServiceEntry, ServiceRecord>,
  organizationId: number | null,
  saying: EntryContext,
): { service: ServiceRecord; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const was = before ?? blankService(id, organizationId);
  const { ids, zone, formulaNames: names } = saying;
  const start = momentInput(entry.SeasonStart, was.SeasonStart, { field: `${field}.SeasonStart`, zone });
  const end = momentInput(entry.SeasonExpiration, was.SeasonExpiration, {
    field: `${field}.SeasonExpiration`,
    zone,
    end: true,
  });
  const bands =
    entry.PricingBands === undefined
      ? { bands: was.PricingBands, errors: [] }
      : applyBands({
          input: entry.PricingBands ?? [],
          before: was.PricingBands,
          blank: blankBand,
          kind: 'PricingBand',
          ids,
          names,
          field: `${field}.PricingBands`,
        });
  const service: ServiceRecord = {
    ...applyFields(was, entry, { names: plain, blank, aliases: ALIASES }),
    ...linksSaid(entry, field, saying, errors),
    SeasonStart: start.value,
    SeasonExpiration: end.value,
    PricingBands: bands.bands,
  };
  return {
    service,
    errors: [...errors, ...start.errors, ...end.errors, ...bands.errors, ...check(service, entry, field, names)],
  };
}

type Services = Map<number, ResolvedBook<ServiceRecord>>;
type Parts = Map<number, ResolvedBook<PartRecord>>;

const same = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));
const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Whether a service that is limited to nothing by itself has just these parts, with or without those no longer active. */
function alreadyHas(book: PriceBook, service: ServiceRecord | undefined, brought: ReadonlySet<number>): boolean {
  if (!service) return false;
  const available = [...book.parts.values()].filter((part) => isAvailable(service, part));
  const active = available.filter(({ IsActive }) => IsActive);
  return [available, active].some((parts) => same(new Set(parts.map(({ Id }) => Id)), brought));
}

/**
 * The parts a service brings are then the parts it has: it is limited to them, unless it has just these already or says
 * itself what it is limited to. A new part that only services brought is limited to these services; one there was
 * that is limited to others, to this one too. A list without parts says nothing: typed clients send one always.
 */
export function applyServiceParts(book: PriceBook, told: AppliedEntries, services: Services, parts: Parts): void {
  const ownParts = new Set(told.parts.filter(({ field }) => field.startsWith('Parts[')).map(({ id }) => id));
  const said = new Set(
    told.parts
      .filter(({ entry }) => entry.LimitedServiceIds !== undefined || entry.LimitedServices !== undefined)
      .map(({ id }) => id),
  );
  const fresh = new Set(
    [...parts].flatMap(([id, { before }]) => (before || ownParts.has(id) || said.has(id) ? [] : id)),
  );
  for (const { id, field, entry } of told.services as readonly Identified<ServiceEntry, ServiceRecord>[]) {
    const list = `${field}.${partsField(entry)}[`;
    const brought = new Set(told.parts.filter((part) => part.field.startsWith(list)).map((part) => part.id));
    const service = services.get(id);
    if (!brought.size || !service) continue;
    const limited = entry.LimitedPartIds !== undefined || entry.LimitedParts !== undefined;
    if (!limited && !alreadyHas(book, service.before, brought)) {
      services.set(id, { ...service, after: { ...service.after, LimitedPartIds: ascending(brought) } });
    }
    for (const partId of brought) {
      const part = parts.get(partId);
      const limits = part?.after.LimitedServiceIds ?? [];
      if (!part || (limits.length === 0 && !fresh.has(partId)) || limits.includes(id)) continue;
      parts.set(partId, { ...part, after: { ...part.after, LimitedServiceIds: ascending([...limits, id]) } });
    }
  }
}
