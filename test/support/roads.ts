import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { miles } from '../../lib/domain/postal/localities.ts';
import { type AwsAnswer, startAws } from './aws-stand-in.ts';
import { useTestCredentials } from './stack/external.ts';
import { testStack } from './stack/stack.ts';

/** Amazon Location Service, as far as it documents CalculateRouteMatrix and Geocode. */

type Pair = readonly [longitude: number, latitude: number];

interface MatrixRequest {
  readonly Origins: readonly { readonly Position: Pair }[];
  readonly Destinations: readonly { readonly Position: Pair }[];
  readonly RoutingBoundary: object;
  readonly TravelMode: string;
}

interface GeocodeRequest {
  readonly QueryText: string;
  readonly IntendedUse: string;
  readonly MaxResults: number;
}

/** What it knows, and what it was asked. */
class RoadStandIn {
  /** How many times as long a road is as the estimate of a drive. */
  factor = 2;
  isDown = false;
  /** What Geocode finds, by the beginning of an address. */
  places: Readonly<Record<string, { readonly PlaceType: string; readonly Position: Pair }>> = {};
  readonly matrices: MatrixRequest[] = [];
  readonly addresses: GeocodeRequest[] = [];

  reset(): void {
    Object.assign(this, { factor: 2, isDown: false, places: {} });
    this.matrices.length = 0;
    this.addresses.length = 0;
  }

  /** How many drives it was asked for. */
  get drives(): number {
    return this.matrices.reduce((sum, { Origins, Destinations }) => sum + Origins.length * Destinations.length, 0);
  }

  answer(operation: string, body: string): AwsAnswer | undefined {
    if (this.isDown) return { status: 503, body: JSON.stringify({ message: 'Service Unavailable' }) };
    if (operation === 'POST /v2/route-matrix') return this.#matrix(JSON.parse(body) as MatrixRequest);
    return operation === 'POST /v2/geocode' ? this.#geocode(JSON.parse(body) as GeocodeRequest) : undefined;
  }

  #matrix(request: MatrixRequest): AwsAnswer {
    this.matrices.push(request);
    const RouteMatrix = request.Origins.map(({ Position: from }) =>
      request.Destinations.map(({ Position: to }) => this.#drive(from, to)),
    );
    return { body: JSON.stringify({ ErrorCount: 0, RouteMatrix, RoutingBoundary: { Unbounded: false } }) };
  }

  /** At 30 miles an hour on 1.3 miles of road for each mile, times the factor. */
  #drive([fromLongitude, fromLatitude]: Pair, [longitude, latitude]: Pair) {
    const apart = miles({ latitude: fromLatitude, longitude: fromLongitude }, { latitude, longitude });
    return { Distance: Math.round(apart * 1609), Duration: Math.round(apart * 2.6 * this.factor * 60) };
  }

  #geocode(request: GeocodeRequest): AwsAnswer {
    this.addresses.push(request);
    const [found] = Object.entries(this.places).flatMap(([start, place]) =>
      request.QueryText.startsWith(start) ? place : [],
    );
    return { body: JSON.stringify({ ResultItems: found ? [{ PlaceId: '1', Title: '', ...found }] : [] }) };
  }
}

/** Handlers of this process with a service of roads. */
export function useRoads(): RoadStandIn {
  const standIn = new RoadStandIn();
  let server: Awaited<ReturnType<typeof startAws>>;
  beforeAll(async () => {
    server = await startAws(({ operation, body }) => standIn.answer(operation, body));
    const { TableName, DynamoDBEndpoint, Region } = testStack();
    useTestCredentials(Region);
    Object.assign(process.env, {
      TABLE_NAME: TableName,
      AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
      AWS_ENDPOINT_URL_GEO_ROUTES: server.endpoint,
      AWS_ENDPOINT_URL_GEO_PLACES: server.endpoint,
      ROUTES_PROVIDER: 'amazon-location',
      LOG_LEVEL: 'silent',
    });
  });
  beforeEach(() => standIn.reset());
  afterAll(() => server.stop());
  return standIn;
}

/** Sets the clock of the handlers. */
export function setClock(moment: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(moment);
}
