import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LOOK_MILLISECONDS = 250;

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** npm itself: it runs a script through a shell, which lives on when npm is killed and would keep us from noticing. */
async function findNpm(): Promise<number> {
  const parent = process.ppid;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,comm=', '-p', String(parent)]);
    const [, above = '', name = ''] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout) ?? [];
    return /(^|\/)-?(ba|da|z|k)?sh$/.test(name) ? Number(above) : parent;
  } catch {
    return parent;
  }
}

/**
 * Calls `stop` when the npm that started us has ended without a word, killed for instance: nothing is to be left
 * running then.
 */
export async function whenNpmEnds(stop: () => void): Promise<void> {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const npm = await findNpm();
  const timer = setInterval(() => {
    if (process.ppid === parent && alive(npm)) return;
    clearInterval(timer);
    stop();
  }, LOOK_MILLISECONDS);
  timer.unref();
}
