import type { Context } from 'aws-lambda';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { explainFailure, invoke } from './lambda.ts';
import { LoopControl } from './loop-control.ts';

/** Lambda repeats a failed run after one and after two minutes. */
const REPEATS = 2;

export type ScheduledHandler = (event: object, context: Context) => Promise<void>;

/** Runs a worker on a schedule, as infra/workers.ts does: at once, then again and again. */
export interface Schedule {
  /** Runs it now, after any run in progress. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export function startSchedule(options: {
  readonly name: string;
  readonly handler: ScheduledHandler;
  readonly everyMilliseconds: number;
  readonly timeoutMilliseconds: number;
  /** The wait before the first repeat of a failed run. */
  readonly repeatMilliseconds?: number;
  readonly onRun: () => void;
  readonly log: (line: string) => void;
}): Schedule {
  const { name, handler, everyMilliseconds, timeoutMilliseconds, repeatMilliseconds = MINUTE, onRun, log } = options;
  const control = new LoopControl();
  let last: Promise<unknown> = Promise.resolve();

  /** Returns whether the run succeeded. */
  async function runOnce(): Promise<boolean> {
    const outcome = await invoke(handler, {}, { name, timeoutMilliseconds });
    if (outcome.kind === 'answer') onRun();
    else if (!control.isEnded) log(`${name}: ${explainFailure(outcome)}`);
    return outcome.kind === 'answer';
  }

  function runNext(): Promise<boolean> {
    const next = last.then(runOnce);
    last = next;
    return next;
  }

  async function watch(): Promise<void> {
    while (!control.isEnded) {
      for (let repeat = 1; !control.isEnded && !(await runNext()) && repeat <= REPEATS; repeat++)
        await control.wait(repeatMilliseconds * repeat);
      await control.wait(everyMilliseconds);
    }
  }

  const watching = watch();
  return {
    run: async () => void (await runNext()),
    async stop() {
      control.end();
      await Promise.all([watching, last]);
    },
  };
}
