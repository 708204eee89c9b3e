import { backgroundWork } from './background-work.ts';
import { calendars } from './calendars.ts';
import { callbacks } from './callbacks.ts';
import { checkouts } from './checkouts.ts';
import { copies } from './copies.ts';
import { delayedMessages } from './delayed-messages.ts';
import { downloads } from './downloads.ts';
import { eventBacklog } from './event-backlog.ts';
import { eventQueue } from './event-queue.ts';
import { merges } from './merges.ts';
import { messageFeedback } from './message-feedback.ts';
import { outbox } from './outbox.ts';
import { proposalExpiry } from './proposal-expiry.ts';
import { retention } from './retention.ts';
import { signins } from './signins.ts';

/** Every worker, by its name. */

const byName = <Worker extends { readonly name: string }>(workers: readonly Worker[]) =>
  Object.fromEntries(workers.map((worker) => [worker.name, worker])) as {
    readonly [Name in Worker['name']]: Extract<Worker, { readonly name: Name }>;
  };

export const streamWorkers = byName([eventQueue, backgroundWork]);
export const queueWorkers = byName([
  callbacks,
  downloads,
  copies,
  checkouts,
  merges,
  signins,
  outbox,
  messageFeedback,
  calendars,
]);
export const scheduledWorkers = byName([proposalExpiry, eventBacklog, delayedMessages, retention]);

export type StreamWorkerName = keyof typeof streamWorkers;
export type QueueWorkerName = keyof typeof queueWorkers;
export type ScheduledWorkerName = keyof typeof scheduledWorkers;

const namesOf = <Name extends string>(workers: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(workers) as Name[];
export const streamWorkerNames = namesOf(streamWorkers);
export const queueNames = namesOf(queueWorkers);
export const scheduledWorkerNames = namesOf(scheduledWorkers);
