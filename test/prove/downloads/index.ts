import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { savedByPrograms } from './programs.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * A worker killed ten times at random during a download of 100,000 rows still writes each of them exactly once, and
 * every program saves all of a file: `npm run prove -- downloads programs` is the second alone.
 */
export async function downloads([only, ...options]: readonly string[]): Promise<boolean> {
  if (only === 'programs') return savedByPrograms();
  const isKilledRight = await killed(only === undefined ? options : [only, ...options]);
  return (await savedByPrograms()) && isKilledRight;
}

async function killed(options: readonly string[]): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const limits = ['--testTimeout=1800000', '--hookTimeout=300000'];
  const child = spawn(process.execPath, [vitest, 'run', ...limits, ...options, 'test/workers/downloads.test.ts'], {
    cwd: root,
    env: { ...process.env, DOWNLOAD_ROWS: process.env['DOWNLOAD_ROWS'] ?? '100000' },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
