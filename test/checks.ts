import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { mapWithConcurrency } from '../lib/shared/promises.ts';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const { types, lint } = packageJson.scripts;

interface Checked {
  readonly command: string;
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: number;
}

const check = (command: string): Promise<Checked> =>
  new Promise((done) => {
    const since = performance.now();
    const PATH = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
    const child = spawn(command, { cwd: root, shell: true, stdio: 'pipe', env: { ...process.env, PATH } });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.on('close', (code) => {
      const seconds = (performance.now() - since) / 1_000;
      done({ command, passed: code === 0, output: Buffer.concat(parts).toString().trim(), seconds });
    });
  });

/** What `npm run types` and `npm run lint` run, one on each processor; fails after all, where one of them fails. */
const commands = [types, ...lint.split(' && ')];
const checked = await mapWithConcurrency(commands, availableParallelism(), async (command) => {
  const result = await check(command);
  const { passed, output, seconds } = result;
  process.stdout.write(`${passed ? '✓' : '✗'} ${command} (${seconds.toFixed(1)} s)\n${passed ? '' : `${output}\n`}`);
  return result;
});
process.exitCode = checked.every(({ passed }) => passed) ? 0 : 1;
