import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { DeployedFunction } from './deployment.ts';

/** A container ends after so many calls, as Lambda's do now and then. */
const CALLS_A_CONTAINER = 150;
const program = join(import.meta.dirname, 'container.ts');

interface Container {
  readonly process: ChildProcess;
  calls: number;
}

type Reply = { readonly answer: unknown } | { readonly error: string };

/** The containers of one function; the one that was idle longest gets the next event. */
export class FunctionPool {
  readonly #function: DeployedFunction;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #instances: number;
  readonly #log: (line: string) => void;
  readonly #idle: Container[] = [];
  readonly #waiting: ((container: Container) => void)[] = [];
  #running = 0;
  #isStopped = false;
  /** Containers started. */
  started = 0;

  constructor(
    deployed: DeployedFunction,
    {
      environment,
      instances,
      log,
    }: { environment: Readonly<Record<string, string>>; instances: number; log: (line: string) => void },
  ) {
    this.#function = deployed;
    this.#environment = environment;
    this.#instances = instances;
    this.#log = log;
  }

  async call(event: object): Promise<unknown> {
    const container = await this.#take();
    const reply = await this.#send(container, event);
    this.#giveBack(container);
    if ('error' in reply) throw new Error(reply.error);
    return reply.answer;
  }

  stop(): void {
    this.#isStopped = true;
    for (const { process: child } of this.#idle.splice(0)) child.kill('SIGKILL');
  }

  async #take(): Promise<Container> {
    if (this.#running < this.#instances) {
      this.#running++;
      return this.#start();
    }
    return this.#idle.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(container: Container): void {
    if (this.#isStopped || container.calls >= CALLS_A_CONTAINER) container.process.kill('SIGKILL');
    const { killed, exitCode, signalCode } = container.process;
    if (killed || exitCode !== null || signalCode !== null) {
      this.#running--;
      void this.#replace();
      return;
    }
    const next = this.#waiting.shift();
    if (next) next(container);
    else this.#idle.push(container);
  }

  /** Starts a container for the call that waits longest. */
  async #replace(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next(await this.#take());
  }

  async #start(): Promise<Container> {
    const { name, file, memoryMegabytes, environment } = this.#function;
    const child = fork(program, [file], {
      env: {
        ...environment,
        ...this.#environment,
        LAMBDA_TASK_ROOT: dirname(file),
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      },
      execArgv: [`--max-old-space-size=${memoryMegabytes}`],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    child.stdout?.on('data', (lines: Buffer) => {
      for (const line of lines.toString().split('\n')) if (line.includes('"Level":"error"')) this.#log(line);
    });
    this.started++;
    await new Promise((done) => child.once('message', done).once('exit', done));
    return { process: child, calls: 0 };
  }

  #send(container: Container, event: object): Promise<Reply> {
    const { process: child } = container;
    const { name, timeoutMilliseconds } = this.#function;
    container.calls++;
    return new Promise((resolve) => {
      const end = (reply: Reply) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(reply);
      };
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        end({ error: `${name} timed out` });
      }, timeoutMilliseconds);
      child.once('message', (reply) => end(reply as Reply));
      child.once('exit', (code, signal) => end({ error: `${name} ended with ${code ?? signal}` }));
      child.send({ event, requestId: randomUUID(), milliseconds: timeoutMilliseconds }, (error) => {
        if (error) end({ error: `${name} ended: ${error.message}` });
      });
    });
  }
}
