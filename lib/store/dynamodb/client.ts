import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { rememberFailedRequest } from './errors.ts';

const clients = new Map<string, DynamoDBDocumentClient>();

/** Called with each new client: the strict table of tests and `npm start` (infra/strict-table.ts). */
export const clientPlugins = new Set<(client: DynamoDBDocumentClient) => void>();

/**
 * Settings of the SDK's HTTP handler, in milliseconds: two attempts without an answer fit into the time of a call. A
 * `requestTimeout` alone only logs a warning.
 */
export const requestHandler = { connectionTimeout: 2_000, requestTimeout: 3_000, throwOnRequestTimeout: true } as const;

/** The client of an endpoint, by default that of the region. Items are plain values; `undefined` ones are left out. */
export function documentClient(endpoint = ''): DynamoDBDocumentClient {
  const known = clients.get(endpoint);
  if (known) return known;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...(endpoint ? { endpoint } : {}), maxAttempts: 4, requestHandler }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  client.middlewareStack.add(rememberFailedRequest, { step: 'initialize' });
  for (const plugIn of clientPlugins) plugIn(client);
  clients.set(endpoint, client);
  return client;
}
