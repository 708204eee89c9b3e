import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A worker killed ten times at random during a download of 100,000 rows still writes each of them exactly once. */
export async function downloads(options: readonly string[]): Promise<boolean> {
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
