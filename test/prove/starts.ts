import { runSuites } from './suites.ts';

/** Every start of the local stack, with another engine and after another end, and everything that prevents one. */
export async function starts(options: readonly string[]): Promise<boolean> {
  const environment = { ...process.env, EVERY_START: '1' };
  const { total, failed } = await runSuites(['test/infra/start.test.ts', 'test/infra/local/dynamodb-local.test.ts'], {
    environment,
    options,
  });
  return total > 0 && failed.length === 0;
}
