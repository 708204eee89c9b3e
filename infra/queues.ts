import { type QueueName, queueVariable } from '../lib/shared/queues.ts';

/** How CDK and the local stack create a queue and deliver it to its worker. */
export interface QueueRules {
  readonly batchSize: number;
  /** Concurrent runs of the worker. */
  readonly maximumConcurrency: number;
  /** The time limit of one run. */
  readonly timeoutSeconds: number;
  /** Deliveries of a message before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
}

/**
 * The queues: `name` is functions/workers/`name`.ts. An item of the table with the attribute Queue is sent to that
 * queue when it is first written (lib/workflows/queues/background-work.ts).
 */
export const queues: Readonly<Record<QueueName, QueueRules>> = {
  /** Messages of a busy host are received up to 50 times; the rest is for a failing worker. */
  callbacks: { batchSize: 10, maximumConcurrency: 20, timeoutSeconds: 30, maxReceiveCount: 100 },
  /** Each run of a download is a delivery; SQS's maximum is enough for 83 hours. */
  downloads: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 1_000 },
  /** Allows 10 hours of retries while the bucket is unavailable. Files waiting to be copied expire after a day. */
  copies: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  /** Allows 10 hours of retries while the provider is unavailable. */
  checkouts: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  /**
   * A merge of contacts takes two runs, and one more for each five minutes that its records take; an erasure takes two,
   * and one more for each minute that the event queue is behind.
   */
  merges: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 100 },
  /** Allows a day of retries while the user pool is unavailable (lib/workflows/users/follow-users.ts). */
  signins: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
};
export const queueNames = Object.keys(queues) as readonly QueueName[];

/** The queues that have a worker in a stage: without a user pool, users are not followed. */
export const workedQueues = ({ signIn }: { readonly signIn?: object | undefined }): readonly QueueName[] =>
  queueNames.filter((name) => name !== 'signins' || signIn);

/**
 * Queues whose messages return without a failure: because of a busy receiver, or a download or merge of many runs. The
 * messages wait in their queue and are not sent again, except those that a run scheduled.
 */
export const sendToThemselves: readonly QueueName[] = ['callbacks', 'downloads', 'merges'];

/** AWS recommends six times the time limit of a run, so that a throttled run keeps its messages. */
export const visibilitySeconds = ({ timeoutSeconds }: Pick<QueueRules, 'timeoutSeconds'>): number => 6 * timeoutSeconds;

/** Messages and dead letters are kept for 14 days, SQS's maximum. */
export const RETENTION_DAYS = 14;

export const deadLetterQueue = (name: QueueName): string => `${name}-dead-letters`;

/** The environment of functions that send messages. */
export const queueEnvironment = (urlOf: (name: QueueName) => string): Record<string, string> =>
  Object.fromEntries(queueNames.map((name) => [queueVariable(name), urlOf(name)]));
