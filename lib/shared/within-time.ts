import { Script } from 'node:vm';

const script = new Script('work()');

/**
 * Runs a function, and stops it when it has taken `milliseconds`, even inside a loop that never ends; then throws an
 * error with the code ERR_SCRIPT_EXECUTION_TIMEOUT. The context is new for the time limit alone: it is no sandbox.
 */
export const withinTime = <Result>(milliseconds: number, work: () => Result): Result =>
  script.runInNewContext({ work }, { timeout: milliseconds }) as Result;

export const isTimeOver = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
