import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { table as description } from '../table.ts';
import { Problem, errorCode } from './problem.ts';

const keys = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

export function tableParameters(TableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes, stream } = description;
  const names = new Set([partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])]);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keys(partitionKey, sortKey),
    StreamSpecification: { StreamEnabled: true, StreamViewType: stream },
    ...(indexes.length && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keys(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.include] },
      })),
    }),
  };
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'ETIMEDOUT']);

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    if (!unreachable.has(errorCode(error))) throw error;
    const { hostname, port } = (await client.config.endpoint?.()) ?? { hostname: 'its address', port: undefined };
    throw new Problem(`DynamoDB does not answer at ${hostname}${port ? `:${port}` : ''}. Check DYNAMODB_ENDPOINT.`);
  }
}

async function create(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  // If the reply was too late, the repeated request finds the table that the first one created.
  await client.send(new CreateTableCommand(tableParameters(TableName))).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
  let created = await describe(client, TableName);
  while (created?.TableStatus !== 'ACTIVE') {
    await pause(100);
    created = await describe(client, TableName);
  }
  const TimeToLiveSpecification = { AttributeName: description.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  return created;
}

/** Creates the table if it does not exist. Throws a Problem if the table has an older layout. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<{ streamArn: string }> {
  const table = (await describe(client, tableName)) ?? (await create(client, tableName));
  const present = new Set(table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const missing = description.indexes.filter(({ name }) => !present.has(name)).map(({ name }) => name);
  if (missing.length)
    throw new Problem(`The table ${tableName} lacks index ${missing.join(', ')}. Start with an empty FS_DATA folder.`);
  if (!table?.LatestStreamArn)
    throw new Problem(`The table ${tableName} has no stream. Start with an empty FS_DATA folder.`);
  return { streamArn: table.LatestStreamArn };
}
