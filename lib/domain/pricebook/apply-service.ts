import { band } from '../../entities/bands.ts';
import { blankOf } from '../../entities/declaration/entity.ts';
import { baseNames } from '../../entities/declaration/marks.ts';
import { type ServiceRecord, serviceEntity } from '../../entities/services.ts';
import type { ServiceEntry } from '../../resources/price-book.ts';
import { definedFields } from '../../shared/objects.ts';
import {
  type Aliases,
  type EntryErrors,
  applyBands,
  applyFields,
  checkNotNegative,
  checkPriced,
  inputName,
  plainFields,
} from './apply-fields.ts';
import { applyCalendarDate, firstDate, lastDate } from './calendar-dates.ts';
import type { EntryContext } from './apply-part.ts';
import { normalizeMonthDay, readWeekdayRule, shortName, weekdayFields } from '../weekday-rule-text.ts';
import { type IdentifiedEntry, resolveReference, resolveReferences, resolveRevenueCategory } from './entries.ts';

/** Name in the record (and the detailed variant) → name in the base variant. */
const ALIASES: Aliases = baseNames(serviceEntity.fields);

/** The custom fields that override a service's numbers. */
export const SERVICE_OVERRIDES = [
  'QuantityOverrideCustomFieldId',
  'BasePriceOverrideCustomFieldId',
  'UnitPriceOverrideCustomFieldId',
  'DurationOverrideCustomFieldId',
  'CapacityDemandOverrideCustomFieldId',
] as const;

/** Fields with other records, lists or moments, whose values are not copied to the record unchanged. */
export const SERVICE_RELATIONS = [
  'V',
  'Id',
  'OrganizationId',
  'PricingBands',
  'LimitedPartIds',
  'BrandingRevenueCategoryId',
  'QuantityOverridePartCategoryId',
  ...SERVICE_OVERRIDES,
] as const;

const blank = serviceEntity.blank({ Id: 0, OrganizationId: null });
const plainNames = plainFields(blank, [...SERVICE_RELATIONS, 'SeasonStart', 'SeasonExpiration']);

const blankBand = blankOf(band, { Id: 0 });

/** Applies an entry to a service, except for its parts: see applyServiceParts. Lists replace those of the record. */
export function applyService(
  { entry, id, before: existing }: IdentifiedEntry<'services'>,
  errors: EntryErrors,
  context: EntryContext,
): ServiceRecord {
  const before = existing ?? serviceEntity.blank({ Id: id, OrganizationId: context.organizationId });
  const { ids, formulaNames } = context;
  const service: ServiceRecord = {
    ...applyFields(before, entry, { names: plainNames, blank, aliases: ALIASES }),
    ...resolveRelations(entry, errors, context),
    SeasonStart: applyCalendarDate('SeasonStart', entry, before, errors),
    SeasonExpiration: applyCalendarDate('SeasonExpiration', entry, before, errors),
    PricingBands: applyBands(entry.PricingBands, before.PricingBands, {
      blank: blankBand,
      idKind: 'PricingBand',
      ids,
      errors: errors.at('PricingBands'),
      formulaNames,
    }),
  };
  checkService(service, entry, errors, formulaNames);
  return withWeekdays(service, errors);
}

/** The service with its days of the week in one spelling; they exclude any other interval. */
function withWeekdays(service: ServiceRecord, errors: EntryErrors): ServiceRecord {
  const { rule, errors: unreadable } = readWeekdayRule(weekdayFields(service), 1);
  for (const { field, message, code } of unreadable) errors.add(`RecurringEventSetting_${field}`, message, code);
  if (!rule) return service;
  const { IntervalDays, RecurringEventSetting_Type: type, RecurringEventSetting_Frequency: frequency } = service;
  const isWeekly = rule.kind === 'weekly';
  const field = `RecurringEventSetting_${isWeekly ? 'Days' : 'On'}`;
  const needed = isWeekly ? 1 : 2;
  const isOther = frequency !== null && frequency >= 1 && type !== null && type !== needed;
  errors.add(field, IntervalDays > 0 && 'cannot be combined with IntervalDays', 'mismatch');
  errors.add(field, isOther && `needs RecurringEventSetting_Type ${needed}, not ${type}`, 'mismatch');
  return isWeekly
    ? { ...service, RecurringEventSetting_Days: rule.weekdays.map(shortName) }
    : { ...service, RecurringEventSetting_On: normalizeMonthDay(service.RecurringEventSetting_On) };
}

type Override = (typeof SERVICE_OVERRIDES)[number];
type Relations = Pick<
  ServiceRecord,
  Override | 'BrandingRevenueCategoryId' | 'QuantityOverridePartCategoryId' | 'LimitedPartIds'
>;

function resolveRelations(entry: ServiceEntry, errors: EntryErrors, { references }: EntryContext): Partial<Relations> {
  const overrides = SERVICE_OVERRIDES.map((name) => {
    const idField = inputName(entry, name, ALIASES) as Override;
    const nameField = name.slice(0, -'Id'.length) as 'QuantityOverrideCustomField';
    const id = resolveReference(
      references.customFields,
      errors,
      [idField, entry[idField]],
      [nameField, entry[nameField]],
    );
    return [name, id] as const;
  });
  return definedFields<Relations>({
    ...(Object.fromEntries(overrides) as Record<Override, number | null | undefined>),
    BrandingRevenueCategoryId: resolveRevenueCategory(references, errors, entry),
    QuantityOverridePartCategoryId: resolveReference(
      references.partCategories,
      errors,
      ['QuantityOverridePartCategoryId', entry.QuantityOverridePartCategoryId],
      ['QuantityOverridePartCategory', entry.QuantityOverridePartCategory],
    ),
    LimitedPartIds: resolveReferences(
      references.parts,
      errors,
      ['LimitedPartIds', entry.LimitedPartIds],
      ['LimitedParts', entry.LimitedParts],
    ),
  });
}

function checkService(
  service: ServiceRecord,
  entry: ServiceEntry,
  errors: EntryErrors,
  names: ReadonlySet<string>,
): void {
  const { SchedulingMode: mode } = service;
  const [start, end] = [firstDate(service.SeasonStart), lastDate(service.SeasonExpiration)];
  const season = entry.SeasonExpiration === undefined ? 'SeasonStart' : 'SeasonExpiration';
  checkPriced(service, entry, errors, names);
  checkNotNegative(service, ['MinimumCharge', 'MinimumSubtotal'], errors);
  errors.add('SchedulingMode', !(Number.isInteger(mode) && mode >= 0 && mode <= 4) && 'must be 0 to 4', 'range');
  const reversed = start !== null && end !== null && start > end;
  errors.add(
    season,
    reversed && `ends the season before it starts: SeasonStart ${start}, SeasonExpiration ${end}`,
    'range',
  );
}
