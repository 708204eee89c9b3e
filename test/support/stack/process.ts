import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalJson } from '../../../infra/local/data-folder.ts';

/** A local stack in a process of its own, as `npm start` starts it. */
export interface StackProcess {
  readonly pid: number;
  /** What it has written to standard output so far. */
  readonly output: string;
  readonly local: LocalJson;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts a stack and waits until it serves, or until it ends by itself. */
async function startProcess(
  environment: Readonly<Record<string, string>>,
  [command, ...parameters]: readonly [string, ...string[]] = [process.execPath, 'infra/start.ts'],
): Promise<StackProcess | Ended> {
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const child = spawn(command, parameters, {
    cwd: root,
    // Empty: the demo has a test of its own.
    env: { ...inherited, PORT: '0', FS_DEMO: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const exit = new Promise<Ended>((done) => child.once('exit', (code, signal) => done({ code, signal, errors })));
  const ready = new Promise<StackProcess>((done) =>
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (!/^Ready: http:\/\/127\.0\.0\.1:\d+\n/m.test(output) || !output.endsWith('start.\n')) return;
      const local = JSON.parse(readFileSync(join(environment['FS_DATA'] ?? '', 'local.json'), 'utf8')) as LocalJson;
      done({
        pid: child.pid ?? 0,
        get output() {
          return output;
        },
        local,
        end(signal) {
          child.kill(signal);
          return exit;
        },
      });
    }),
  );
  return Promise.race([ready, exit]);
}

/** Starts a stack that must come up. */
export async function running(
  environment: Readonly<Record<string, string>>,
  command?: readonly [string, ...string[]],
): Promise<StackProcess> {
  const started = await startProcess(environment, command);
  if ('code' in started) throw new Error(`the stack ended: ${started.errors}`);
  return started;
}

/** Starts a stack that must not come up. */
export async function refused(
  environment: Readonly<Record<string, string>>,
  command?: readonly [string, ...string[]],
): Promise<Ended> {
  const started = await startProcess(environment, command);
  if ('code' in started) return started;
  await started.end('SIGKILL');
  throw new Error('the stack came up');
}

interface Running {
  readonly pid: number;
  readonly command: string;
}

/** The processes whose command line names a text. */
export const processesWith = (text: string): Running[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.replace(/^\s*\d+\s+/, '') }));

/** The DynamoDB engines with their file in a folder, without their watchers. */
export const enginesIn = (folder: string): number[] =>
  processesWith(folder)
    .filter(({ command }) => !command.startsWith('sh '))
    .map(({ pid }) => pid);

/** Resolves when a condition holds; fails after the time given. */
export async function until(holds: () => boolean | Promise<boolean>, milliseconds = 20_000): Promise<void> {
  for (const since = performance.now(); !(await holds());) {
    if (performance.now() - since > milliseconds) throw new Error(`still not so after ${milliseconds} ms: ${holds}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
