import { type QueueName, queueVariable } from '../lib/shared/queues.ts';

/** How CDK and the local stack make a queue, and deliver it to its worker. */
export interface QueueRules {
  readonly batchSize: number;
  /** Runs of the worker at once. */
  readonly maximumConcurrency: number;
  /** Of one run. */
  readonly timeoutSeconds: number;
  /** Deliveries of a message before it goes to the queue of dead letters. */
  readonly maxReceiveCount: number;
}

/**
 * The queues: `name` is functions/workers/`name`.ts. An item of the table with the attribute Queue is handed to that
 * queue when it is written for the first time (lib/workflows/queues/background-work.ts).
 */
export const queues: Readonly<Record<QueueName, QueueRules>> = {
  /** Messages of a busy host are received up to 50 times: what remains is for a worker that fails. */
  callbacks: { batchSize: 10, maximumConcurrency: 20, timeoutSeconds: 30, maxReceiveCount: 100 },
  /** Each run of a download is a delivery; the most that SQS allows are 83 hours. */
  downloads: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 1_000 },
  /** While the bucket is away: 10 hours of tries. What waits to be copied expires after a day. */
  copies: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  /** While the provider is away: 10 hours of tries. */
  checkouts: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  /**
   * A merge of contacts is two runs, and one more for each five minutes that its records take; an erasure is two, and
   * one more for each minute that the event queue is behind.
   */
  merges: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 100 },
  /** While the user pool is away: a day of tries (lib/workflows/users/follow-users.ts). */
  signins: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
};
export const queueNames = Object.keys(queues) as readonly QueueName[];

/** Those that have a worker in a stage: the users of one without a user pool are not followed. */
export const workedQueues = ({ signIn }: { readonly signIn?: object | undefined }): readonly QueueName[] =>
  queueNames.filter((name) => name !== 'signins' || signIn);

/**
 * Those whose messages come again without a failure: a busy receiver, a download or a merge of many runs. They wait in
 * their queue and are not sent again, but a message that the clock sends is one that a run of the worker asked for.
 */
export const sendToThemselves: readonly QueueName[] = ['callbacks', 'downloads', 'merges'];

/** AWS recommends six times the time of a run: a run that is throttled keeps its messages. */
export const visibilitySeconds = ({ timeoutSeconds }: Pick<QueueRules, 'timeoutSeconds'>): number => 6 * timeoutSeconds;

/** Messages and dead letters are kept for 14 days, the longest that SQS allows. */
export const RETENTION_DAYS = 14;

export const deadLetterQueue = (name: QueueName): string => `${name}-dead-letters`;

/** The environment of functions that send messages. */
export const queueEnvironment = (urlOf: (name: QueueName) => string): Record<string, string> =>
  Object.fromEntries(queueNames.map((name) => [queueVariable(name), urlOf(name)]));
