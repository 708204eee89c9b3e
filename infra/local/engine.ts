import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Handled, prepareEngineFile } from './engine-file.ts';
import { explicitEndpoint } from '../dynamodb-endpoint.ts';
import { Problem } from './problem.ts';

/** A running DynamoDB engine. */
export interface Engine {
  readonly endpoint: string;
  /** The process id of the engine, which changes on a restart. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface EngineOptions {
  readonly program: string;
  readonly file: string;
  /** An address of this machine, 127.0.0.1 by default. */
  readonly host?: string;
  readonly port: number;
  /** What the workers have handled of the stream; it is removed after a day. */
  readonly handled: readonly Handled[];
  readonly now: Date;
  /** Called after the engine has died and been restarted. */
  readonly onRestart: () => void;
  /** Called if it keeps dying. */
  readonly onLost: (problem: Problem) => void;
}

/**
 * The engine must not outlive this process, even if it is killed. A shell starts a watcher that reads a pipe from this
 * process, and then becomes the engine. The operating system closes the pipe when this process ends, and the watcher
 * kills the engine, whose file survives that. Program and arguments are passed as arguments: none is inserted into the
 * script.
 */
export const GUARDED_SCRIPT = `
exec 3<&0 </dev/null
( while read -r _ <&3; do :; done; kill -9 $$ ) >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

const LOOPBACK = '127.0.0.1';
const START_MILLISECONDS = 10_000;
const STOP_MILLISECONDS = 1_000;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MILLISECONDS = 10_000;

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

interface Running {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

type RunOptions = Pick<EngineOptions, 'program' | 'file' | 'port' | 'host'>;

async function run({ program, file, port, host = LOOPBACK }: RunOptions): Promise<Running> {
  const parameters = ['--host', host, '--port', String(port), '--db-path', file];
  // In a separate session: Ctrl-C in a terminal does not reach the engine, which runs until the stack has stopped.
  const child = spawn('sh', ['-c', GUARDED_SCRIPT, 'sh', program, ...parameters], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-1_000);
  });
  const gone = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()));
  // Without its pipe the watcher ends too.
  void gone.then(() => child.stdin.destroy());
  child.stdin.on('error', () => undefined);
  const deadline = performance.now() + START_MILLISECONDS;
  while (!(await isListening(host, port))) {
    if (hasEnded(child) || child.pid === undefined)
      throw new Problem(
        `The DynamoDB engine ${program} does not start: ${output.trim().split('\n').at(-1) || 'no output'}.`,
      );
    if (performance.now() > deadline)
      throw new Problem(`The DynamoDB engine ${program} does not answer on port ${port}.`);
    await pause(4);
  }
  return {
    child,
    async stop() {
      if (hasEnded(child)) return;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
      await gone;
      clearTimeout(late);
    },
  };
}

/**
 * Starts the engine on its file. A new file is first opened by the engine, which creates its tables, and then prepared.
 * An engine that dies is restarted on the same port: what it acknowledged is in its file.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { file, host = LOOPBACK, port, handled, now, onRestart, onLost } = options;
  if (!prepareEngineFile(file, handled, now)) {
    await (await run(options)).stop();
    prepareEngineFile(file, handled, now);
  }
  let stopping = false;
  let current = await run(options);
  const deaths: number[] = [];
  const watch = () => {
    current.child.once('exit', () => {
      if (!stopping) void restart();
    });
  };
  async function restart(): Promise<void> {
    const moment = performance.now();
    deaths.push(moment);
    try {
      if (deaths.filter((death) => death > moment - RESTART_WINDOW_MILLISECONDS).length > MAX_RESTARTS) {
        throw new Problem('The DynamoDB engine keeps ending.');
      }
      current = await run(options);
      if (stopping) return await current.stop();
      watch();
      onRestart();
    } catch (error) {
      if (!stopping)
        onLost(error instanceof Problem ? error : new Problem(`The DynamoDB engine is lost: ${String(error)}.`));
    }
  }
  watch();
  return {
    endpoint: `http://${host}:${port}`,
    pid: () => current.child.pid,
    stop() {
      stopping = true;
      return current.stop();
    },
  };
}

/** A program to start, or the address of a running DynamoDB. */
export type EngineSource = { readonly program: string } | { readonly endpoint: string };

export interface EngineSearch {
  readonly platform: string;
  readonly architecture: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of an installed package, or `undefined`. */
  readonly packageFolder: (name: string) => string | undefined;
}

/** The folder of a package as found by the module `from`. */
const packageFolderFrom = (from: string, name: string): string | undefined => {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const programIn = (folder: string | undefined, name: string): string | undefined =>
  folder === undefined ? undefined : [join(folder, name), join(folder, 'bin', name)].find(isProgram);

/**
 * The address in DYNAMODB_ENDPOINT, else the installed package `@dynoxide/<platform>-<architecture>`, else `dynoxide`
 * on the path. Throws a Problem that names the alternative.
 */
export function findEngine({
  platform = process.platform,
  architecture = process.arch,
  environment = process.env,
  packageFolder = (name) => packageFolderFrom(import.meta.url, name),
}: Partial<EngineSearch> = {}): EngineSource {
  const endpoint = explicitEndpoint((message) => new Problem(message), environment);
  if (endpoint !== undefined) return { endpoint };
  // As on platforms without an engine: for the tests of its replacement.
  if (environment['FS_WITHOUT_ENGINE']) throw noEngine(platform, architecture);
  const name = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  const packageName = `@dynoxide/${platform}-${architecture}`;
  const onPath = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isProgram);
  // `npm install --global dynoxide` puts a script on the path, which would survive the signals meant for its engine.
  const besideScript = onPath === undefined ? undefined : packageFolderFrom(realpathSync(onPath), packageName);
  const program = programIn(packageFolder(packageName), name) ?? programIn(besideScript, name) ?? onPath;
  if (program) return { program };
  throw noEngine(platform, architecture);
}

const noEngine = (platform: string, architecture: string): Problem =>
  new Problem(
    `No DynamoDB engine found for ${platform}-${architecture}. Install Java 17 and Maven: DynamoDB Local then runs by ` +
      'itself; or set DYNAMODB_ENDPOINT to the address of a DynamoDB.',
  );
