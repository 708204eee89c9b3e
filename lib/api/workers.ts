import type { ChangeVisibility, QueueName } from '../shared/queues.ts';
import type { WorkerNeed } from './context.ts';
import {
  type HandleMessages,
  type HandleRecords,
  type HandleRun,
  queueHandler,
  scheduledHandler,
  streamHandler,
} from './worker-handlers.ts';

/**
 * Workers: those that the table's stream feeds, those that a queue feeds, and those that run by the clock. A worker is
 * declared once, by a file of functions/workers; CDK, the local stack, its permissions, environment and alarms follow.
 */

interface Declaration<Name extends string> {
  /** Names its file in functions/workers, its function and its bundle. */
  readonly name: Name;
  /** One sentence. */
  readonly description: string;
  /** What its IAM statements and its environment allow, beside reading what feeds it. */
  readonly needs: readonly WorkerNeed[];
}

/** The event patterns of Lambda that workers use: each part of an event is another pattern, or rules for its value. */
export interface EventPattern {
  readonly [name: string]: EventPattern | readonly PatternRule[];
}

/** A text that the value equals, whether it exists, or texts that it does not equal. */
export type PatternRule = string | { readonly exists: boolean } | { readonly 'anything-but': readonly string[] };

/** How Lambda delivers the stream of the table. Each worker has its own position in it. */
export interface StreamRules {
  /** At most five: records that match one of them are delivered. */
  readonly filters: readonly EventPattern[];
  readonly batchSize: number;
  readonly maximumBatchingWindowSeconds: number;
  readonly bisectBatchOnError: boolean;
  /** -1 repeats a batch until its records expire. */
  readonly retryAttempts: number;
  readonly maximumRecordAgeHours: number;
}

const STREAM_RULES = {
  batchSize: 100,
  /** Changes within a second share a transaction, its write of the sequence, and an invocation. */
  maximumBatchingWindowSeconds: 1,
  bisectBatchOnError: true,
  retryAttempts: -1,
  /** The stream keeps a record for 24 hours; before that, Lambda can still write it to the failure destination. */
  maximumRecordAgeHours: 23,
};

interface StreamDeclaration<Name extends string> extends Declaration<Name> {
  readonly stream: Pick<StreamRules, 'filters'> & Partial<Pick<StreamRules, 'batchSize'>>;
  /** What the alarms say where it parks records, and where it is late. */
  readonly alarms: { readonly parked: string; readonly late: string };
  readonly run: HandleRecords;
}

/** A worker that the table's stream feeds. */
export const streamWorker = <const Name extends string>({ run, stream, ...worker }: StreamDeclaration<Name>) => ({
  ...worker,
  stream: { ...STREAM_RULES, ...stream } as StreamRules,
  handler: streamHandler(worker.name, run),
});

/** How a queue is made, and delivered to its worker. */
export interface QueueRules {
  readonly batchSize: number;
  /** Concurrent runs of the worker. */
  readonly maximumConcurrency: number;
  /** The time of one run. */
  readonly timeoutSeconds: number;
  /** Deliveries of a message before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
}

interface QueueDeclaration<Name extends QueueName> extends Declaration<Name> {
  readonly queue: QueueRules;
  /**
   * Whether messages come again without a failure: a busy receiver, a download or a merge of many runs. They wait in
   * the queue and are not sent again, but a message that the clock sends is one that a run of the worker asked for.
   */
  readonly sendsToItself?: true;
  readonly run: HandleMessages;
  readonly changeVisibility?: ChangeVisibility;
}

/**
 * A worker that a queue feeds. An item of the table with the attribute Queue is handed to that queue when it is written
 * for the first time (lib/workflows/queues/background-work.ts). Without `changeVisibility` the queue decides when a
 * message comes again.
 */
export const queueWorker = <const Name extends QueueName>({
  run,
  changeVisibility,
  sendsToItself,
  ...worker
}: QueueDeclaration<Name>) => ({
  ...worker,
  sendsToItself: sendsToItself ?? false,
  handler: queueHandler(worker.name, run, changeVisibility),
});

interface ScheduledDeclaration<Name extends string> extends Declaration<Name> {
  /** Lambda repeats a failed run twice. */
  readonly schedule: { readonly everyMinutes: number; readonly timeoutMinutes: number };
  readonly run: HandleRun;
}

/** A scheduled worker. The next run makes up for a missed or failed one. */
export const scheduledWorker = <const Name extends string>({ run, ...worker }: ScheduledDeclaration<Name>) => ({
  ...worker,
  handler: scheduledHandler(worker.name, run),
});
