import type { TestProject } from 'vitest/node';
import { groups } from '../../../functions/index.ts';
import { startHttpServer } from '../../../infra/local/http-server.ts';
import { setCredentials, setEnvironment } from '../../../infra/local/environment.ts';
import type { TestStack } from './stack.ts';
import { freshInstances } from './fresh-instances.ts';
import { startTestStack } from './start-stack.ts';

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
  const { stack, stop } = await startTestStack(500);
  const fresh = await startHttpServer({ port: 0, ...freshInstances(groups) });
  project.provide('stack', { ...stack, freshBaseUrl: `http://127.0.0.1:${fresh.port}` });
  return async () => {
    await fresh.stop();
    await stop();
  };
}
