import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { groups } from '../../../functions/index.ts';
import { startHttpServer } from '../../../infra/local/http-server.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { setCredentials, setEnvironment } from '../../../infra/local/environment.ts';
import type { TestStack } from './stack.ts';
import { freshInstances } from './fresh-instances.ts';
import { startRemote } from './remote.ts';

/**
 * One stack for the whole run, in a temporary folder and on free ports; each test makes an account of its own in it.
 * TEST_STACK is one that runs already: that of `npm run prove -- containers`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['TEST_STACK'];
  if (running) {
    const stack = JSON.parse(running) as TestStack;
    project.provide('stack', stack);
    setCredentials({ keep: false });
    setEnvironment(stack, process.env['CALLBACK_KEY'] ?? '');
    return async () => undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'stack-'));
  const stack: Stack = await startStack({ folder, port: 0, retryMilliseconds: 1, gatherMilliseconds: 500 });
  const remote = await startRemote(stack);
  const fresh = await startHttpServer({ port: 0, ...freshInstances(groups) });
  const { BaseUrl, DynamoDBEndpoint, AwsEndpoint, TableName, Bucket, Region } = stack.local;
  project.provide('stack', {
    BaseUrl,
    DynamoDBEndpoint,
    AwsEndpoint,
    TableName,
    Bucket,
    Region,
    remote: remote.address,
    freshBaseUrl: `http://127.0.0.1:${fresh.port}`,
  });
  return async () => {
    await fresh.stop();
    await remote.stop();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
