import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import { startRemote } from './remote.ts';

/**
 * One stack for the whole run, in a temporary folder and on free ports; each test makes an account of its own in it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'));
  const stack: Stack = await startStack({ folder, port: 0, retryMilliseconds: 1 });
  const remote = await startRemote(stack);
  const { BaseUrl, DynamoDBEndpoint, AwsEndpoint, TableName, Bucket, Region } = stack.local;
  project.provide('stack', {
    BaseUrl,
    DynamoDBEndpoint,
    AwsEndpoint,
    TableName,
    Bucket,
    Region,
    remote: remote.address,
  });
  return async () => {
    await remote.stop();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
