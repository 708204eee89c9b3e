import type { LocalJson } from './local-json.ts';

/** What the handlers read of the environment when they are deployed, set to the local stack. */
export function setEnvironment(
  local: Pick<LocalJson, 'BaseUrl' | 'DynamoDBEndpoint' | 'AwsEndpoint' | 'TableName' | 'Bucket' | 'Region'>,
): void {
  Object.assign(process.env, {
    TABLE_NAME: local.TableName,
    BUCKET_NAME: local.Bucket,
    BASE_URL: local.BaseUrl,
    STAGE: 'local',
    AWS_REGION: local.Region,
    AWS_ENDPOINT_URL_DYNAMODB: local.DynamoDBEndpoint,
    AWS_ENDPOINT_URL_S3: local.AwsEndpoint,
    AWS_ENDPOINT_URL_SQS: local.AwsEndpoint,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  });
}

/**
 * Credentials of nobody: the local engines check none, and real ones have no business here. Only for a DynamoDB that
 * was named by DYNAMODB_ENDPOINT are those of the environment kept.
 */
export function setCredentials({ keep }: { keep: boolean }): void {
  if (keep && process.env['AWS_ACCESS_KEY_ID']) return;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  delete process.env['AWS_SESSION_TOKEN'];
}
