import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * Files of Jobber and Housecall Pro of 5,000 rows each (`--rows` says how many), imported on the local stack by a
 * process that is killed four times: what is stored balances to the cent, and a second run changes nothing.
 */
export async function imports(options: readonly string[]): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const place = options.indexOf('--rows');
  const rows = place < 0 ? (process.env['IMPORT_ROWS'] ?? '5000') : (options[place + 1] ?? '');
  const others = place < 0 ? options : options.toSpliced(place, 2);
  if (!/^[1-9]\d*$/.test(rows)) throw new Error('--rows must be a number, such as 100000.');
  const file = 'test/infra/cli/other-systems/killed-import.test.ts';
  const child = spawn(process.execPath, [vitest, 'run', '--hookTimeout=300000', ...others, file], {
    cwd: root,
    env: { ...process.env, IMPORT_ROWS: rows },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
