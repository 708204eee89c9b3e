import { useStrictTable } from '../../../infra/strict-table.ts';
import { explicitEndpoint, regionOf, useCredentials } from '../../../infra/dynamodb-endpoint.ts';

/** Of the DynamoDB that the tests use instead of the embedded engine, if DYNAMODB_ENDPOINT names one. */
export const externalEndpoint: string | undefined = explicitEndpoint((message) => new Error(message));

const isExternal = externalEndpoint !== undefined;

/** The region of a table that a test makes. */
const testRegion: string = regionOf(isExternal);

/** Signs requests of this process as `npm start` signs its own, and refuses those that DynamoDB refuses. */
export function useTestCredentials(region: string = testRegion): void {
  useCredentials({ isExternal, region });
  useStrictTable();
}
