import { GeocodeCommand, GeoPlacesClient, type PlaceType } from '@aws-sdk/client-geo-places';
import { CalculateRouteMatrixCommand, GeoRoutesClient } from '@aws-sdk/client-geo-routes';
import type { Position } from '../domain/postal/localities.ts';
import { SECOND, MINUTE } from '../shared/time/time.ts';
import type { RoadService } from './road-service.ts';

/** Amazon Location Service. */

/** A search waits for it, and is answered by estimates without it. */
const PROMPT = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};

/** By endpoint, because a stand-in has its own address. */
function clientOf<Client>(clients: Map<string, Client>, variable: string, make: () => Client): Client {
  const endpoint = process.env[variable] ?? '';
  const client = clients.get(endpoint) ?? make();
  clients.set(endpoint, client);
  return client;
}

const routesClients = new Map<string, GeoRoutesClient>();
const placesClients = new Map<string, GeoPlacesClient>();

/** The service has longitude first. */
const toPair = ({ longitude, latitude }: Position): [number, number] => [longitude, latitude];

/** Five decimals are a yard. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** Kilometers around all places in which roads are looked for: with the margin at most 200. */
const BOUNDARY = { Geometry: { AutoCircle: { MaxRadius: 180_000, Margin: 20_000 } } };

/** Results that are as exact as a street. Others, such as a city, are no better than the postal code. */
const STREETS: ReadonlySet<PlaceType> = new Set([
  'PointAddress',
  'SecondaryAddress',
  'InterpolatedAddress',
  'Intersection',
  'Block',
  'Street',
]);

async function drives(from: readonly Position[], to: readonly Position[]): Promise<(number | undefined)[][]> {
  const client = clientOf(routesClients, 'AWS_ENDPOINT_URL_GEO_ROUTES', () => new GeoRoutesClient(PROMPT));
  const { RouteMatrix = [] } = await client.send(
    new CalculateRouteMatrixCommand({
      Origins: from.map((place) => ({ Position: toPair(place) })),
      Destinations: to.map((place) => ({ Position: toPair(place) })),
      RoutingBoundary: BOUNDARY,
      TravelMode: 'Car',
    }),
  );
  return RouteMatrix.map((row) =>
    row.map(({ Duration, Error: reason }) =>
      reason || Duration === undefined ? undefined : (Duration * SECOND) / MINUTE,
    ),
  );
}

async function locate(address: string, near: Position | null): Promise<Position | undefined> {
  const client = clientOf(placesClients, 'AWS_ENDPOINT_URL_GEO_PLACES', () => new GeoPlacesClient(PROMPT));
  const { ResultItems: [found] = [] } = await client.send(
    new GeocodeCommand({
      QueryText: address,
      MaxResults: 1,
      IntendedUse: 'Storage',
      ...(near ? { BiasPosition: toPair(near) } : {}),
    }),
  );
  const [longitude, latitude] = found?.Position ?? [];
  if (!found?.PlaceType || !STREETS.has(found.PlaceType) || longitude === undefined || latitude === undefined)
    return undefined;
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

export const amazonLocation: RoadService = { drives, locate };
