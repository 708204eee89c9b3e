import type { ChangeVisibility, QueueName } from '../shared/queues.ts';
import type { WorkerNeed } from './context.ts';
import {
  type HandleMessages,
  type HandleRecords,
  type HandleReports,
  type HandleRun,
  queueHandler,
  reportHandler,
  scheduledHandler,
  streamHandler,
} from './worker-handlers.ts';

/**
 * Declarations of workers on the table's stream, on queues and on schedules. A worker is declared once, in a file of
 * functions/workers; CDK, the local stack, its permissions, environment and alarms follow from it.
 */

interface Declaration<Name extends string> {
  /** The name of its file in functions/workers, its function and its bundle. */
  readonly name: Name;
  /** One sentence. */
  readonly description: string;
  /** What its IAM statements and environment allow, besides reading its input. */
  readonly needs: readonly WorkerNeed[];
}

/**
 * Lambda event patterns, as far as workers use them: each part of an event is another pattern, or rules for its value.
 */
export interface EventPattern {
  readonly [name: string]: EventPattern | readonly PatternRule[];
}

/** A text that the value equals, whether it exists, or texts that it does not equal. */
export type PatternRule = string | { readonly exists: boolean } | { readonly 'anything-but': readonly string[] };

/** How Lambda delivers the table's stream. Each worker has its own position in it. */
export interface StreamRules {
  /** At most five; records that match any of them are delivered. */
  readonly filters: readonly EventPattern[];
  readonly batchSize: number;
  readonly maximumBatchingWindowSeconds: number;
  readonly bisectBatchOnError: boolean;
  /** -1 retries a batch until its records expire. */
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
  /** What the alarms say when it parks records, and when it is late. */
  readonly alarms: { readonly parked: string; readonly late: string };
  readonly run: HandleRecords;
}

/** Declares a worker on the table's stream. */
export const streamWorker = <const Name extends string>({ run, stream, ...worker }: StreamDeclaration<Name>) => ({
  ...worker,
  stream: { ...STREAM_RULES, ...stream } as StreamRules,
  handler: streamHandler(worker.name, run),
});

/** How a queue is created and delivered to its worker. */
export interface QueueRules {
  readonly batchSize: number;
  /** Concurrent runs of the worker. */
  readonly maximumConcurrency: number;
  /** The time limit of one run. */
  readonly timeoutSeconds: number;
  /** Deliveries of a message before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
}

/** A setting of a stage (infra/stages.ts). */
type StageSetting = 'signIn' | 'messages';

interface QueuedDeclaration<Name extends QueueName> extends Declaration<Name> {
  readonly queue: QueueRules;
  /** Without this setting a stage does not have the worker. */
  readonly onlyWith?: StageSetting;
}

interface QueueDeclaration<Name extends QueueName> extends QueuedDeclaration<Name> {
  /**
   * Whether messages return without a failure: because of a busy receiver, or a download or merge of many runs. They
   * wait in the queue and are not sent again, except those that a run scheduled.
   */
  readonly sendsToItself?: true;
  readonly run: HandleMessages;
  readonly changeVisibility?: ChangeVisibility;
}

/**
 * Declares a worker on a queue. An item of the table with the attribute Queue is sent to that queue when it is first
 * written (lib/workflows/queues/background-work.ts). Without `changeVisibility` the queue decides when a message is
 * delivered again.
 */
export const queueWorker = <const Name extends QueueName>({
  run,
  changeVisibility,
  sendsToItself,
  onlyWith,
  ...worker
}: QueueDeclaration<Name>) => ({
  ...worker,
  onlyWith,
  sendsToItself: sendsToItself ?? false,
  takesReports: false,
  handler: queueHandler(worker.name, run, changeVisibility),
});

interface ReportDeclaration<Name extends QueueName> extends QueuedDeclaration<Name> {
  readonly run: HandleReports;
}

/** Declares a worker on a queue that services of AWS fill with reports, and nothing of ours. */
export const reportWorker = <const Name extends QueueName>({ run, onlyWith, ...worker }: ReportDeclaration<Name>) => ({
  ...worker,
  onlyWith,
  sendsToItself: false,
  takesReports: true,
  handler: reportHandler(worker.name, run),
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
