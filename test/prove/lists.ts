import { missingPrograms, startDynamoDBLocal } from '../../infra/local/dynamodb-local.ts';
import { type Results, runSuites } from './suites.ts';

const suite = ['test/store/deep-paging.test.ts'];

/**
 * 20,000 invoices, tasks and appointments of one organization, paged to the end on the embedded engine and on DynamoDB
 * Local, which ends a page of an index at 1 MB as DynamoDB does; and the cost of pages of 100,000 invoices.
 */
export async function lists(): Promise<boolean> {
  const missing = await missingPrograms();
  if (missing.length) {
    process.stdout.write(`lists: ${missing.join(' ')}\n`);
    return false;
  }
  const embedded = await run({ DEEP_RECORDS: '20000', DEEP_INVOICES: '100000' });
  const local = await startDynamoDBLocal();
  try {
    return [embedded, await run({ DEEP_RECORDS: '20000', DYNAMODB_ENDPOINT: local.endpoint })].every(
      ({ passed, failed }) => passed.length > 0 && !failed.length,
    );
  } finally {
    await local.stop();
  }
}

function run(more: NodeJS.ProcessEnv): Promise<Results> {
  const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, AWS_SESSION_TOKEN: ___, ...environment } = process.env;
  return runSuites(suite, { environment: { ...environment, ...more } });
}
