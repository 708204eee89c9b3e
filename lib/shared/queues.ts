import type { BatchOptions } from './batch.ts';
import { SECOND } from './time/time.ts';

/** An SQS queue; the worker of the same name is in functions/workers. */
export type QueueName =
  | 'callbacks'
  | 'downloads'
  | 'copies'
  | 'checkouts'
  | 'merges'
  | 'signins'
  | 'outbox'
  | 'message-feedback'
  | 'calendars';

/** The environment variable with the queue's URL. */
export const queueVariable = (queue: QueueName): string => `${queue.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`;

/** A queue message: the primary key of the item to work on. */
export interface QueueMessage {
  readonly PK: string;
  readonly SK: string;
}

/** A received message, with the number of times it has been received. */
export interface ReceivedMessage extends QueueMessage {
  readonly receives: number;
}

export interface OutgoingMessage {
  readonly queue: QueueName;
  readonly message: QueueMessage;
  /** 0 by default; SQS allows 15 minutes. */
  readonly delaySeconds?: number;
}

/** Sends messages and returns those that were not sent because the queue is unavailable; never throws. */
export type SendMessages = (messages: readonly OutgoingMessage[]) => Promise<readonly OutgoingMessage[]>;

/**
 * A message, by its index in the batch, that stays in the queue and is delivered again after `seconds`, or when the
 * worker has already set the time.
 */
export interface WaitingMessage {
  readonly index: number;
  readonly seconds?: number;
}

/**
 * A message, by its index in the batch, that is delivered again after the visibility timeout of its queue, or sooner.
 */
export interface FailedMessage {
  readonly index: number;
  readonly error: unknown;
  readonly seconds?: number;
}

/**
 * Sets for how long received messages stay invisible, at most 12 hours. Never throws: a message that keeps its timeout
 * is delivered after that of its queue.
 */
export type ChangeVisibility = (
  queue: QueueName,
  messages: readonly { readonly receiptHandle: string; readonly seconds: number }[],
) => Promise<void>;

export interface QueueOptions extends BatchOptions {
  /** Hides a message from other runs for `seconds` from now; if this run dies, it is delivered again then. */
  readonly hide: (index: number, seconds: number) => Promise<void>;
}

/** The wait after a run that failed, or that found another run at work. */
export const RETRY_SECONDS = 30;

/** How long a message is hidden from other runs: until just after this run ends, because this run may die. */
export const secondsHidden = ({ now, deadline }: BatchOptions): number =>
  Math.ceil((deadline - now.getTime()) / SECOND) + 10;

/** For how long a message waits in its queue for a moment: at least a second. */
export const secondsUntil = (at: number, now: Date): number => Math.max(1, Math.ceil((at - now.getTime()) / SECOND));

/** Whether the work of a message is done. */
export type MessageProgress = { readonly kind: 'done' } | { readonly kind: 'waits'; readonly seconds: number };

/** What a worker did with a batch from its queue. */
export interface QueueOutcome {
  /** Messages whose work is done. */
  readonly done: number;
  readonly failures: readonly FailedMessage[];
  readonly waiting?: readonly WaitingMessage[];
  /** Callbacks that were given up. */
  readonly dead?: number;
}
