import { type ServiceRecord, serviceEntity } from '../../entities/services.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import { type OrganizationRecord, forecastsEntity, organizationEntity } from '../../entities/organizations.ts';
import type { Campaign, Channel } from '../../resources/channels.ts';
import type { Forecast } from '../../resources/settings.ts';
import { column, decimals, flags, integers, moments, organizationColumns, texts } from './columns.ts';
import { type DownloadFilter, defineKind, itself } from './kind.ts';

const MODES = ['Normal', 'Fixed Location', 'Subscription', 'Route Schedule', 'Recurring'];
const BILLING_METHODS = ['Invoice', 'Card', 'Bank debit'];

/** A season's day is stored as its midnight in UTC. */
const day = (text: string | null): string | null => text?.slice(0, 10) ?? null;

export const services = defineKind<ServiceRecord, ServiceRecord>({
  kind: 'services',
  rows: 'A service, inactive ones too. OrganizationId is empty for a service that every organization has.',
  settings: 'Services',
  source: 'Service',
  entity: serviceEntity,
  rowId: 'Id',
  attributes: [
    'Id',
    'OrganizationId',
    'Name',
    'Active',
    'Category',
    'Description',
    'BasePrice',
    'UnitPrice',
    'UnitOfMeasure',
    'UnitCost',
    'MinimumCharge',
    'MinimumSubtotal',
    'MinimumOptions',
    'Taxable',
    'BaseDuration',
    'UnitDuration',
    'SchedulingMode',
    'IsQueued',
    'IsSubscription',
    'IsRecurring',
    'VisitCount',
    'IntervalDays',
    'SeasonStart',
    'SeasonExpiration',
    'SelfSelect',
    'IsMigrateInvoice',
    'BrandingRevenueCategoryId',
    'QuantityFormula',
    'PricingBands',
    'LimitedPartIds',
  ],
  moments: {},
  organizationOf: ({ OrganizationId }) => OrganizationId,
  items: itself,
  columns: [
    ...integers<ServiceRecord>('Id'),
    ...organizationColumns<ServiceRecord>(),
    ...texts<ServiceRecord>('Name'),
    ...flags<ServiceRecord>('Active'),
    ...texts<ServiceRecord>('Category', 'Description'),
    ...decimals<ServiceRecord>('BasePrice', 'UnitPrice'),
    ...texts<ServiceRecord>('UnitOfMeasure'),
    ...decimals<ServiceRecord>('UnitCost', 'MinimumCharge', 'MinimumSubtotal'),
    ...integers<ServiceRecord>('MinimumOptions'),
    ...flags<ServiceRecord>('Taxable'),
    column('integer')('BaseDuration', ({ item }) => item.BaseDuration, 'minutes'),
    column('integer')('UnitDuration', ({ item }) => item.UnitDuration, 'minutes a unit'),
    column('text')('SchedulingMode', ({ item }) => MODES[item.SchedulingMode], 'Normal, Fixed Location, …'),
    ...flags<ServiceRecord>('IsQueued', 'IsSubscription', 'IsRecurring'),
    ...integers<ServiceRecord>('VisitCount', 'IntervalDays'),
    column('date')('SeasonStart', ({ item }) => day(item.SeasonStart)),
    column('date')('SeasonExpiration', ({ item }) => day(item.SeasonExpiration)),
    ...flags<ServiceRecord>('SelfSelect', 'IsMigrateInvoice'),
    ...integers<ServiceRecord>('BrandingRevenueCategoryId'),
    ...texts<ServiceRecord>('QuantityFormula'),
    column('list')('PricingBands', ({ item }) => item.PricingBands),
    column('text')('LimitedPartIds', ({ item }) => item.LimitedPartIds.join('; '), 'separated by ; '),
  ],
});

export const parts = defineKind<PartRecord, PartRecord>({
  kind: 'parts',
  rows: 'A part, inactive ones too. Parts belong to the account: every organization has them.',
  settings: 'Parts',
  source: 'Part',
  entity: partEntity,
  rowId: 'Id',
  attributes: [
    'Id',
    'Name',
    'Description',
    'PartCategory',
    'PartSubcategory1',
    'PartSubcategory2',
    'IsActive',
    'UnitPrice',
    'UnitPriceMax',
    'UnitCost',
    'ReplacementCost',
    'UnitOfMeasure',
    'Taxable',
    'IsInternal',
    'IsAssembly',
    'RangePricing',
    'SelfSelect',
    'VendorPartNo',
    'BrandingRevenueCategoryId',
    'UnitDuration',
    'DurationForQtyUnits',
    'QuantityFormula',
    'StoreItemId',
    'DistributionStart',
    'DistributionEnd',
    'QtyPricing',
    'AssemblyItems',
    'LimitedServiceIds',
  ],
  moments: {},
  organizationOf: () => null,
  items: itself,
  columns: [
    ...integers<PartRecord>('Id'),
    ...texts<PartRecord>('Name', 'Description'),
    column('text')('Category', ({ item }) => item.PartCategory?.Name),
    column('text')('Subcategory1', ({ item }) => item.PartSubcategory1?.Name),
    column('text')('Subcategory2', ({ item }) => item.PartSubcategory2?.Name),
    ...flags<PartRecord>('IsActive'),
    ...decimals<PartRecord>('UnitPrice', 'UnitPriceMax', 'UnitCost', 'ReplacementCost'),
    ...texts<PartRecord>('UnitOfMeasure'),
    ...flags<PartRecord>('Taxable', 'IsInternal', 'IsAssembly', 'RangePricing', 'SelfSelect'),
    ...texts<PartRecord>('VendorPartNo'),
    ...integers<PartRecord>('BrandingRevenueCategoryId'),
    column('integer')('UnitDuration', ({ item }) => item.UnitDuration, 'minutes for DurationForQtyUnits units'),
    ...integers<PartRecord>('DurationForQtyUnits'),
    ...texts<PartRecord>('QuantityFormula'),
    ...integers<PartRecord>('StoreItemId'),
    column('date')('DistributionStart', ({ item }) => day(item.DistributionStart)),
    column('date')('DistributionEnd', ({ item }) => day(item.DistributionEnd)),
    column('list')('QtyPricing', ({ item }) => item.QtyPricing),
    column('list')('AssemblyItems', ({ item }) => item.AssemblyItems, 'each with PartId and Quantity'),
    column('text')('LimitedServiceIds', ({ item }) => item.LimitedServiceIds.join('; '), 'separated by ; '),
  ],
});

/** A download's TaxpayerID is for Owner and Admin; the worker leaves the attribute unread for others. */
export const TAXPAYER = 'TaxpayerID';

const address = (name: 'StartAddress' | 'BillingAddress', field: 'Address1' | 'Address2' | 'City' | 'State' | 'Zip') =>
  column('text')<OrganizationRecord>(`${name}.${field}`, ({ item }) => item[name]?.[field]);

const addressFields = ['Address1', 'Address2', 'City', 'State', 'Zip'] as const;

export const organizations = defineKind<OrganizationRecord, OrganizationRecord>({
  kind: 'organizations',
  rows: 'An organization.',
  settings: 'Organizations',
  source: 'Organization',
  entity: organizationEntity,
  rowId: 'Id',
  attributes: [
    'Id',
    'LocationID',
    'PublicName',
    'InternalName',
    'LegalEntityName',
    TAXPAYER,
    'PrimaryPhone',
    'Email',
    'Website',
    'Timezone',
    'Country',
    'Region',
    'StartAddress',
    'BillingAddress',
    'Radius',
    'SlotSearchWindowDays',
    'OpenTimeGranularity',
    'OpenSince',
    'CancelDate',
    'Suspended',
    'TrialExpirationDate',
    'BillingPlan',
    'BillingMethod',
    'AccountManagerUserId',
    'PostalCodes',
    'Created',
  ],
  moments: { Created: ({ Created }) => Created },
  organizationOf: ({ Id }) => Id,
  items: itself,
  columns: [
    ...integers<OrganizationRecord>('Id'),
    ...texts<OrganizationRecord>('LocationID', 'PublicName', 'InternalName', 'LegalEntityName'),
    column('text')(TAXPAYER, ({ item }) => item.TaxpayerID, 'empty unless an Owner or Admin key started the download'),
    ...texts<OrganizationRecord>('PrimaryPhone', 'Email', 'Website', 'Timezone', 'Country', 'Region'),
    ...addressFields.map((field) => address('StartAddress', field)),
    ...addressFields.map((field) => address('BillingAddress', field)),
    column('integer')('Radius', ({ item }) => item.Radius, 'miles'),
    ...integers<OrganizationRecord>('SlotSearchWindowDays', 'OpenTimeGranularity'),
    ...moments<OrganizationRecord>('OpenSince', 'CancelDate'),
    ...flags<OrganizationRecord>('Suspended'),
    ...moments<OrganizationRecord>('TrialExpirationDate'),
    ...texts<OrganizationRecord>('BillingPlan'),
    column('text')('BillingMethod', ({ item }) => BILLING_METHODS[item.BillingMethod], 'Invoice, Card or Bank debit'),
    ...integers<OrganizationRecord>('AccountManagerUserId'),
    column('text')('PostalCodes', ({ item }) => item.PostalCodes, 'comma-separated'),
    column('moment')('CreatedAt', ({ item }) => item.Created || null),
  ],
});

interface BudgetRow {
  readonly channel: Channel;
  readonly campaign: Campaign;
  readonly Year: number;
  readonly Month: number | null;
  readonly Type: string;
  readonly Budget: number | null;
  readonly Actual: number | null;
  readonly InvoiceUrl: string;
}

const isYear = ({ settings }: DownloadFilter, year: number): boolean => !settings['Year'] || settings['Year'] === year;

/** A row for each budget, with what was spent in its month, and for each month with a cost and no monthly budget. */
function budgetRows(channel: Channel, campaign: Campaign): BudgetRow[] {
  const at = (year: number, month: number | null) => `${year}#${month}`;
  const actuals = new Map(campaign.CampaignActuals.map((actual) => [at(actual.Year, actual.Month), actual]));
  const budgets = campaign.CampaignBudgets.map(({ Budget, Type, Year, Month }): BudgetRow => {
    const actual = actuals.get(at(Year, Month));
    actuals.delete(at(Year, Month));
    return {
      channel,
      campaign,
      Year,
      Month,
      Type: Type === 1 ? 'Yearly' : 'Monthly',
      Budget,
      Actual: actual?.Amount ?? null,
      InvoiceUrl: actual?.InvoiceUrl ?? '',
    };
  });
  const others = [...actuals.values()].map(({ Amount, Year, Month, InvoiceUrl }): BudgetRow => ({
    channel,
    campaign,
    Year,
    Month,
    Type: '',
    Budget: null,
    Actual: Amount,
    InvoiceUrl,
  }));
  return [...budgets, ...others].sort((one, other) => one.Year - other.Year || (one.Month ?? 0) - (other.Month ?? 0));
}

/** The campaigns of all channels by id, each with its channel. */
interface CampaignRecord {
  readonly Id: number;
  readonly channel: Channel;
  readonly campaign: Campaign;
}

export const campaignsOf = (channels: readonly Channel[]): CampaignRecord[] =>
  channels
    .flatMap((channel) => channel.Campaigns.map((campaign) => ({ Id: campaign.Id, channel, campaign })))
    .sort((one, other) => one.Id - other.Id);

export const campaignBudgets = defineKind<BudgetRow, CampaignRecord>({
  kind: 'campaignbudgets',
  rows: 'A budget of a campaign for a month or a year, or its cost in a month without budget.',
  settings: 'CampaignBudgets',
  source: 'Channel',
  entity: undefined,
  rowId: 'CampaignId',
  attributes: [],
  moments: {},
  organizationOf: () => null,
  items: ({ channel, campaign }, filter) => budgetRows(channel, campaign).filter(({ Year }) => isYear(filter, Year)),
  columns: [
    column('integer')('CampaignId', ({ item }) => item.campaign.Id),
    column('text')('Campaign', ({ item }) => item.campaign.Name),
    column('flag')('Active', ({ item }) => item.campaign.Active),
    column('integer')('ChannelId', ({ item }) => item.channel.Id),
    column('text')('Channel', ({ item }) => item.channel.Name),
    ...integers<BudgetRow>('Year', 'Month'),
    column('text')('BudgetType', ({ item }) => item.Type, 'Monthly or Yearly'),
    ...decimals<BudgetRow>('Budget', 'Actual'),
    ...texts<BudgetRow>('InvoiceUrl'),
  ],
});

interface ForecastRecord {
  readonly OrganizationId: number;
  readonly Forecasts: readonly Forecast[];
}

export const revenueForecasts = defineKind<Forecast, ForecastRecord>({
  kind: 'revenueforecasts',
  rows: 'The target revenue of an organization in a month.',
  settings: 'RevenueForecasts',
  source: 'Forecast',
  entity: forecastsEntity,
  rowId: 'OrganizationId',
  attributes: ['OrganizationId', 'Forecasts'],
  moments: {},
  organizationOf: ({ OrganizationId }) => OrganizationId,
  items: ({ Forecasts }, filter) =>
    Forecasts.filter(({ Year }) => isYear(filter, Year)).toSorted(
      (one, other) => one.Year - other.Year || one.Month - other.Month,
    ),
  columns: [
    ...organizationColumns<Forecast>(),
    ...integers<Forecast>('Year', 'Month'),
    ...decimals<Forecast>('Target'),
  ],
});

interface ChannelRow {
  readonly channel: Channel;
  readonly campaign: Campaign | undefined;
}

export const channelsCampaigns = defineKind<ChannelRow, Channel>({
  kind: 'channelscampaigns',
  rows: 'A campaign of a channel; a channel without campaigns has one row with empty campaign columns.',
  settings: 'ChannelsCampaigns',
  source: 'Channel',
  entity: undefined,
  rowId: 'ChannelId',
  attributes: [],
  moments: {},
  organizationOf: () => null,
  items: (channel) =>
    channel.Campaigns.length
      ? channel.Campaigns.toSorted((one, other) => one.Id - other.Id).map((campaign) => ({ channel, campaign }))
      : [{ channel, campaign: undefined }],
  columns: [
    column('integer')('ChannelId', ({ item }) => item.channel.Id),
    column('text')('Channel', ({ item }) => item.channel.Name),
    column('text')('ChannelDescription', ({ item }) => item.channel.Description),
    column('integer')('CampaignId', ({ item }) => item.campaign?.Id),
    column('text')('Campaign', ({ item }) => item.campaign?.Name),
    column('text')('CampaignDescription', ({ item }) => item.campaign?.Description),
    column('flag')('Active', ({ item }) => item.campaign?.Active),
  ],
});
