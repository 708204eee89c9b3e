import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { SolomonInstance } from './solomon.ts';

const run = promisify(execFile);

const PACKAGES = ['pyvrp==0.14.1', 'pyvroom==1.15.2'];

export interface Solved {
  /** Customers from 1, as in the instances. */
  readonly routes: readonly (readonly number[])[];
  readonly seconds: number;
}

/** What PyVRP and VROOM find for each instance in so many seconds of one processor. */
export async function solveByOthers(
  instances: readonly SolomonInstance[],
  seconds: number,
): Promise<Record<string, Solved>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'solvers-'));
  const python = join(folder, 'venv', 'bin', 'python');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '-q', ...PACKAGES]);
    const program = [join(import.meta.dirname, 'solvers.py'), String(seconds)];
    // numpy would start threads of its own.
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const child = spawn(python, program, { stdio: ['pipe', 'pipe', 'inherit'], env });
    child.stdin.end(instances.map((each) => JSON.stringify(toCase(each))).join('\n'));
    const lines = (await text(child.stdout)).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, Solved>);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const toCase = ({ capacity, service, customers }: SolomonInstance) => ({
  capacity,
  service,
  customers: customers.map(({ x, y, demand, opens, closes }) => [x, y, demand, opens, closes]),
});
