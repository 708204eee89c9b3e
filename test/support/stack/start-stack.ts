import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { startStack } from '../../../infra/local/stack.ts';
import { externalEndpoint } from './external.ts';
import { startRemote } from './remote.ts';
import { makeStackFolder } from './stack-folder.ts';
import { type TestStack, setTestStack } from './stack.ts';

/** Of a stack whose test file waits for its events. */
const OWN_GATHERING = 50;

/** A stack in a temporary folder and on free ports, and how its test processes reach it. */
export async function startTestStack(
  gatherMilliseconds: number,
): Promise<{ readonly stack: Omit<TestStack, 'freshBaseUrl'>; stop(): Promise<void> }> {
  const folder = await makeStackFolder();
  // Other stacks use an external DynamoDB too.
  const table = externalEndpoint === undefined ? {} : { tableName: `test-stack-${randomUUID()}` };
  const options = { folder, port: 0, retryMilliseconds: 1, gatherMilliseconds, forgetsFiles: true, ...table };
  const stack = await startStack(options);
  const remote = await startRemote(stack);
  const { BaseUrl, AwsEndpoint, StripeApi, MessagesEndpoint, OfficeIssuer, TableName, Bucket, Region } = stack.local;
  // The engine itself, as the stack's handlers call it: the proxy for other programs is in their busy process.
  const DynamoDBEndpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? stack.local.DynamoDBEndpoint;
  return {
    stack: {
      BaseUrl,
      DynamoDBEndpoint,
      AwsEndpoint,
      StripeApi,
      MessagesEndpoint,
      OfficeIssuer,
      officeAccount: stack.local.AccountId,
      TableName,
      Bucket,
      Region,
      remote: remote.address,
    },
    async stop() {
      await remote.stop();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A stack for this test file alone, which reads the whole table or waits until all changes are events: in the stack of
 * the run these are those of all files. With TEST_STACK (see global-setup.ts) that one is used.
 */
export async function startOwnStack(): Promise<() => Promise<void>> {
  if (process.env['TEST_STACK']) return async () => undefined;
  const { stack, stop } = await startTestStack(OWN_GATHERING);
  setTestStack({ ...stack, freshBaseUrl: stack.BaseUrl });
  return async () => {
    setTestStack(undefined);
    await stop();
  };
}
