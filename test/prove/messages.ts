import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const HISTORIES = 10_000;
const A_RUN = 500;

/**
 * 10,000 random histories of a company (or as many as the first option says; the second is the first seed) beside a
 * model: nobody who must not be written to is, nothing is told twice, or about a state that is gone, or lost. 500 of
 * them are a line.
 */
export async function messages(options: readonly string[]): Promise<boolean> {
  const [histories = HISTORIES, first = 1] = options.map(Number);
  const started = performance.now();
  let failed = 0;
  for (let seed = first; seed < first + histories; seed += A_RUN)
    if (!(await run(seed, Math.min(A_RUN, first + histories - seed)))) failed++;
  const seconds = (performance.now() - started) / 1_000;
  const rate = (histories / seconds).toFixed(1);
  const outcome = failed ? `${failed} runs FAILED` : 'all of them as the model says';
  process.stdout.write(`messages: ${histories} histories in ${Math.round(seconds)} s, ${rate} a second; ${outcome}\n`);
  return failed === 0;
}

async function run(seed: number, histories: number): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const file = 'test/workers/message-histories.test.ts';
  const child = spawn(process.execPath, [vitest, 'run', '--reporter=dot', '--testTimeout=1800000', file], {
    cwd: root,
    env: { ...process.env, MESSAGE_HISTORIES: String(histories), MESSAGE_SEED: String(seed) },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
