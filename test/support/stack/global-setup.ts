import type { TestProject } from 'vitest/node';
import { groups } from '../../../functions/index.ts';
import { startHttpServer } from '../../../infra/local/http-server.ts';
import { useTestCredentials } from './external.ts';
import { setEnvironment } from '../../../infra/local/environment.ts';
import type { TestStack } from './stack.ts';
import { freshInstances } from './fresh-instances.ts';
import { startTestStack } from './start-stack.ts';

interface Running {
  readonly stack: TestStack;
  stop(): Promise<void>;
}

/** One stack for the whole run, in a temporary folder and on free ports. */
async function start(): Promise<Running> {
  const { stack, stop } = await startTestStack(500);
  const fresh = await startHttpServer({ port: 0, ...freshInstances(groups) });
  return {
    stack: { ...stack, freshBaseUrl: `http://127.0.0.1:${fresh.port}` },
    async stop() {
      await fresh.stop();
      await stop();
    },
  };
}

let running: Promise<Running> | undefined;
let users = 0;

/**
 * Called once for each project of vitest.config.ts with tests in it: all use one stack, each test with an account of
 * its own. TEST_STACK is one that runs already: that of `npm run prove -- containers`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const elsewhere = process.env['TEST_STACK'];
  if (elsewhere) {
    const stack = JSON.parse(elsewhere) as TestStack;
    project.provide('stack', stack);
    useTestCredentials(stack.Region);
    setEnvironment(stack, process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '');
    return async () => undefined;
  }
  users++;
  const { stack, stop } = await (running ??= start());
  project.provide('stack', stack);
  return async () => {
    if (--users === 0) await stop();
  };
}
