import { type OrganizationRecord, forecastsEntity, organizationEntity } from '../../entities/organizations.ts';
import type { Forecast } from '../../resources/organization-lists.ts';
import { column, decimals, integers, organizationColumns, recordColumns } from './columns.ts';
import { defineKind, isOfYear, itself } from './kind.ts';

const address = (name: 'StartAddress' | 'BillingAddress', field: 'Address1' | 'Address2' | 'City' | 'State' | 'Zip') =>
  column('text')<OrganizationRecord>(`${name}.${field}`, ({ item }) => item[name]?.[field]);

const addressFields = ['Address1', 'Address2', 'City', 'State', 'Zip'] as const;

export const organizations = defineKind<OrganizationRecord, OrganizationRecord>({
  kind: 'organizations',
  rows: 'An organization.',
  settings: 'Organizations',
  source: 'Organization',
  entity: organizationEntity,
  moments: { Created: ({ Created }) => Created },
  organizationOf: ({ Id }) => Id,
  items: itself,
  ...recordColumns(
    organizationEntity,
    [
      'Id',
      'LocationID',
      'PublicName',
      'InternalName',
      'LegalEntityName',
      'TaxpayerID',
      'PrimaryPhone',
      'Email',
      'Website',
      'Timezone',
      'Country',
      'Region',
      ...addressFields.map((field) => address('StartAddress', field)),
      ...addressFields.map((field) => address('BillingAddress', field)),
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
      column('moment')('CreatedAt', ({ item }) => item.Created || null),
    ],
    { reads: ['StartAddress', 'BillingAddress', 'Created'] },
  ),
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
  attributes: ['OrganizationId', 'Forecasts'],
  moments: {},
  organizationOf: ({ OrganizationId }) => OrganizationId,
  items: ({ Forecasts }, filter) =>
    Forecasts.filter(({ Year }) => isOfYear(filter, Year)).toSorted(
      (one, other) => one.Year - other.Year || one.Month - other.Month,
    ),
  columns: [
    column('integer')('Id', ({ organization }) => organization?.Id, 'the id of the organization'),
    ...organizationColumns<Forecast>(),
    ...integers<Forecast>('Year', 'Month'),
    ...decimals<Forecast>('Target'),
  ],
});
