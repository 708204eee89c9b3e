import { type QueueWorkerName, queueNames, queueWorkers } from '../functions/workers/index.ts';
import type { QueueRules } from '../lib/api/workers.ts';
import { type QueueName, queueVariable } from '../lib/shared/queues.ts';

/** The settings of a stage that some workers need. */
type WorkerSettings = Partial<Record<'signIn' | 'messages', object | undefined>>;

/** The queues that have a worker in a stage: without a user pool, users are not followed. */
export const workedQueues = (settings: WorkerSettings): readonly QueueWorkerName[] =>
  queueNames.filter((name) => {
    const { onlyWith } = queueWorkers[name];
    return !onlyWith || settings[onlyWith];
  });

/** The queues of a stage. That of users is there in every stage, so that a user pool can be added later. */
export const queuesOf = ({ messages }: WorkerSettings): readonly QueueWorkerName[] =>
  queueNames.filter((name) => messages || queueWorkers[name].onlyWith !== 'messages');

/** The queues that functions send to; services of AWS fill the others. */
export const sentQueues: readonly QueueWorkerName[] = queueNames.filter((name) => !queueWorkers[name].takesReports);

/** AWS recommends six times the time limit of a run, so that a throttled run keeps its messages. */
export const visibilitySeconds = ({ timeoutSeconds }: Pick<QueueRules, 'timeoutSeconds'>): number => 6 * timeoutSeconds;

/** Messages and dead letters are kept for 14 days, SQS's maximum. */
export const RETENTION_DAYS = 14;

export const deadLetterQueue = (name: QueueName): string => `${name}-dead-letters`;

/** The environment of functions that send messages. */
export const queueEnvironment = (urlOf: (name: QueueWorkerName) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    sentQueues.flatMap((name) => {
      const url = urlOf(name);
      return url === undefined ? [] : [[queueVariable(name), url]];
    }),
  );
