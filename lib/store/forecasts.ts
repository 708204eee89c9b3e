import type { Forecast } from '../resources/forecasts.ts';
import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import { layout } from './layout.ts';

/** The forecasts of an organization, by month, and the version that a change needs; 0 when there are none. */
export interface OrganizationForecasts {
  readonly OrganizationId: number;
  readonly Forecasts: readonly Forecast[];
  readonly V: number;
}

const forecastsOf = (item: Record<string, unknown>): OrganizationForecasts => ({
  OrganizationId: item['OrganizationId'] as number,
  Forecasts: item['Forecasts'] as Forecast[],
  V: item['V'] as number,
});

/** The forecasts of one organization. */
export async function findForecasts(
  table: TableReader,
  account: string,
  organization: number,
): Promise<OrganizationForecasts> {
  const item = await table.get(layout.forecast.key({ account, organization }));
  return item ? forecastsOf(item) : { OrganizationId: organization, Forecasts: [], V: 0 };
}

/** The change that stores an organization's forecasts, where they still are what was read. */
export const forecastChange = (
  account: string,
  { OrganizationId, V }: OrganizationForecasts,
  Forecasts: readonly Forecast[],
): Change => ({
  put: { ...layout.forecast.key({ account, organization: OrganizationId }), OrganizationId, Forecasts, V: V + 1 },
  if: V ? { equals: { V } } : 'absent',
});
