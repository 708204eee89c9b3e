import type { RoadService } from './road-service.ts';

/** Whether this deployment has such a service. */
export const hasRoads = (): boolean => process.env['ROUTES_PROVIDER'] === 'amazon-location';

/** Loads its client only here, because most deployments have none. */
export const openRoads = async (): Promise<RoadService> => (await import('./amazon-location.ts')).amazonLocation;
