import { GeocodeCommand, GeoPlacesClient } from '@aws-sdk/client-geo-places';
import { CalculateRouteMatrixCommand, GeoRoutesClient } from '@aws-sdk/client-geo-routes';
import { type Finding, good } from './findings.ts';

const WHITE_HOUSE: [number, number] = [-77.0365, 38.8977];
const CAPITOL: [number, number] = [-77.0091, 38.8899];

/** Whether Amazon Location answers in the region. The two questions cost $0.001. */
export async function checkRoads(region: string): Promise<Finding> {
  await new GeoPlacesClient({ region }).send(
    new GeocodeCommand({ QueryText: '1600 Pennsylvania Avenue NW, Washington, DC 20500', MaxResults: 1 }),
  );
  await new GeoRoutesClient({ region }).send(
    new CalculateRouteMatrixCommand({
      Origins: [{ Position: WHITE_HOUSE }],
      Destinations: [{ Position: CAPITOL }],
      RoutingBoundary: { Unbounded: true },
    }),
  );
  return good('routes', `Amazon Location answers in ${region}.`);
}
