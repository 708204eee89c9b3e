import { queueNames, queueWorkers } from '../functions/workers/index.ts';
import type { QueueRules } from '../lib/api/workers.ts';
import { type QueueName, queueVariable } from '../lib/shared/queues.ts';

/** The queues that have a worker in a stage: without a user pool, users are not followed. */
export const workedQueues = ({ signIn }: { readonly signIn?: object | undefined }): readonly QueueName[] =>
  queueNames.filter((name) => signIn || !queueWorkers[name].needs.some((need) => need === 'sign-in:follow'));

/** AWS recommends six times the time limit of a run, so that a throttled run keeps its messages. */
export const visibilitySeconds = ({ timeoutSeconds }: Pick<QueueRules, 'timeoutSeconds'>): number => 6 * timeoutSeconds;

/** Messages and dead letters are kept for 14 days, SQS's maximum. */
export const RETENTION_DAYS = 14;

export const deadLetterQueue = (name: QueueName): string => `${name}-dead-letters`;

/** The environment of functions that send messages. */
export const queueEnvironment = (urlOf: (name: QueueName) => string): Record<string, string> =>
  Object.fromEntries(queueNames.map((name) => [queueVariable(name), urlOf(name)]));
