import { globSync } from 'node:fs';
import { join } from 'node:path';
import { runSuites } from './suites.ts';

const root = join(import.meta.dirname, '..', '..');

/** What hostile and large inputs cost, by the cost of other work on this machine: one test at a time. */
export async function speed(options: readonly string[]): Promise<boolean> {
  const files = globSync('test/**/*.speed.test.ts', { cwd: root });
  const environment = { ...process.env, SPEED: '1' };
  const { total, failed } = await runSuites(options.length ? [] : files, {
    environment,
    options: [...options, '--maxWorkers=1'],
  });
  return total > 0 && failed.length === 0;
}
