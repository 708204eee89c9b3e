import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';

const root = join(import.meta.dirname, '..', '..');
const HISTORIES = 10_000;
const A_RUN = 500;

/**
 * 10,000 random histories of a company (or as many as the first option says; the second is the first seed) beside a
 * model: nobody who must not be written to is, nothing is announced twice, or about a state that is gone, or lost. 500 of
 * them are a line, and each processor has its own.
 */
export async function messages(options: readonly string[]): Promise<boolean> {
  const [histories = HISTORIES, first = 1] = options.map(Number);
  const started = performance.now();
  const seeds = Array.from({ length: Math.ceil(histories / A_RUN) }, (_, index) => first + index * A_RUN);
  const outcomes = await mapWithConcurrency(seeds, availableParallelism(), (seed) =>
    run(seed, Math.min(A_RUN, first + histories - seed)),
  );
  const failed = outcomes.filter((isWell) => !isWell).length;
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
