import { PartQtyPricingDetailed, PricingBandDetailed } from '../../../lib/entities/bands.ts';
import { BrandingRevenueCategory, PartTemplate, ProposalTemplateLine } from '../../../lib/entities/price-book.ts';
import { AssemblyItem, SolutionPrice } from '../../../lib/entities/parts.ts';
import { flag, text } from '../../../lib/resources/fields.ts';
import { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../../lib/resources/price-book.ts';
import { entryFormat, extraField, fields, listField, nameField, namesField, wordField } from './entry-format.ts';

const active = { field: 'active', default: true };

export const revenueCategoryFormat = entryFormat(BrandingRevenueCategory, {
  ...fields('name group percentage'),
  active,
  ...fields('totalSales excludedFromMinimum excludeFromTotal perInvoiceAmount minimum maximum'),
  maximumPeriod: { field: 'MaximumPeriod', default: 'None' },
});

export const partTemplateFormat = entryFormat(PartTemplate, { name: 'OptionName', selected: 'Selected' });

export const dimensionFormat = entryFormat(DimensionEntry, {
  ...fields('name unitOfMeasure minimum maximum step options'),
  parts: namesField('Parts'),
});

const quantityPrice = entryFormat(
  PartQtyPricingDetailed,
  {
    ...fields('atLeast lessThan price'),
    flat: 'ExcludeQuantity',
    overage: 'OverageMode',
    ...fields('formula duration capacityDemand'),
  },
  { required: ['atLeast'] },
);
const assemblyItem = entryFormat(
  AssemblyItem,
  { part: 'PartName', quantity: 'Quantity' },
  { required: ['part', 'quantity'] },
);
const solutionPrice = entryFormat(
  SolutionPrice,
  { part: extraField('PartSolution', text(200)), unitPrice: 'UnitPrice' },
  { required: ['part', 'unitPrice'] },
);

export const partFormat = entryFormat(PartEntry, {
  name: 'Name',
  active,
  category: 'Category',
  subcategory: nameField('PartSubcategory1'),
  subcategory2: nameField('PartSubcategory2'),
  ...fields('description vendorPartNo unitPrice unitPriceMax rangePricing unitCost replacementCost unitOfMeasure'),
  ...fields('unitDuration durationForQtyUnits quantity taxable internal perDiem selfSelect'),
  requiredForService: 'IsRequiredForService',
  ...fields('syncQtyWithServiceQty excludedFromMinimum excludeFromDiscounts'),
  quantityPrices: listField('QtyPricing', quantityPrice),
  ...fields('quantityFormula quantityOverrideCustomField quantityOverrideGridColumnId capacityDemand assembly'),
  items: listField('AssemblyItems', assemblyItem),
  synchronizePricing: 'IsAssemblySynchronizePricing',
  zeroItemPrices: 'IsZeroAssemblyItemPrices',
  internalizeItems: 'IsInternalizeAssemblyItems',
  treatAsOption: 'IsAssemblyTreatAsOption',
  template: nameField('PartTemplate', 'OptionName'),
  templateSelected: 'PartTemplateOptionSelectedOverride',
  solutionPrices: listField('SolutionPrices', solutionPrice),
  services: namesField('LimitedServices'),
  brandingCategory: nameField('BrandingRevenueCategory'),
  ...fields('displaySummary displayRow displayColumn'),
  color: 'ColorDisplay',
  ...fields('subscriptionDistributionSteps storeItemId distributionStart distributionEnd'),
});

const band = entryFormat(
  PricingBandDetailed,
  {
    ...fields('atLeast lessThan price'),
    flat: 'IsExcludeQuantity',
    overage: 'IsOverageMode',
    overageBand: extraField('IsOverageBand', flag()),
    ...fields('formula duration capacityDemand initialNRecurringPrice'),
  },
  { required: ['atLeast'] },
);

export const serviceFormat = entryFormat(ServiceEntry, {
  name: 'Name',
  active,
  ...fields('category description basePrice unitPrice unitCost unitOfMeasure minimumCharge minimumSubtotal'),
  ...fields('minimumOptions taxable'),
  duration: 'BaseDuration',
  unitDuration: 'UnitDuration',
  ...fields('bufferBefore bufferAfter minimumNotice minimumNoticeDays horizonDays exactTimes'),
  bands: listField('PricingBands', band),
  ...fields('quantityFormula quantityOverrideCustomField quantityOverridePartCategory quantityOverrideGridColumnId'),
  ...fields('basePriceOverrideCustomField unitPriceOverrideCustomField durationOverrideCustomField'),
  ...fields('capacityDemandOverrideCustomField capacityDemand'),
  schedulingMode: wordField('SchedulingMode', [
    'Normal',
    'Fixed Location',
    'Subscription',
    'Route Schedule',
    'Recurring',
  ]),
  ...fields('selfSelect queued'),
  subscription: 'IsSubscription',
  ...fields('recurring recurringDescription'),
  proRate: 'SubscriptionProRate',
  visits: 'VisitCount',
  ...fields('intervalDays seasonStart seasonExpiration alternateDateWindowAfter subscriptionSnapMode'),
  subscriptionSnapTarget: 'SubscriptionSnapTarget',
  recurringEventType: 'RecurringEventSetting_Type',
  recurringEventFrequency: 'RecurringEventSetting_Frequency',
  recurringEventDays: 'RecurringEventSetting_Days',
  recurringEventOn: 'RecurringEventSetting_On',
  recurringEventIfMissing: { field: 'RecurringEventSetting_IfMissing', default: 'skip' },
  ...fields('autoCreateChain autoCreateInterval autoCreateSnapMode autoCreateSnapTarget carryForwardAddOns'),
  ...fields('migrateInvoice excludeFromDiscounts recordWeatherData defaultFinishAction durationAlertPercentage'),
  durationAlertPercentageOver: 'DurationAlertPercentageOver',
  brandingCategory: nameField('BrandingRevenueCategory'),
  parts: namesField('LimitedParts'),
  color: 'LabelBackgroundColor',
  colorDisplay: 'LabelBackgroundColorDisplay',
  calendarColor: 'CalendarColorDisplay',
  properties: 'CustomProperties',
});

const templateLine = entryFormat(
  ProposalTemplateLine,
  {
    part: extraField('Part', text(200)),
    ...fields('name description option quantity'),
    quantityIsPercent: 'QtyIsPercent',
    ...fields('internal zeroPrice order'),
  },
  { required: [] },
);

export const proposalTemplateFormat = entryFormat(ProposalTemplateEntry, {
  ...fields('name service'),
  active,
  ...fields('quantity serviceDescription customerNote'),
  lines: listField('ProposalTemplateLines', templateLine),
});
