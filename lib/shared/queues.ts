import type { BatchOptions } from './batch.ts';
import { SECOND } from './time/time.ts';

/** A queue of SQS; functions/workers has the worker of the same name. */
export type QueueName = 'callbacks' | 'downloads' | 'copies' | 'checkouts' | 'merges' | 'signins';

/** The environment variable with the queue's URL. */
export const queueVariable = (queue: QueueName): string => `${queue.toUpperCase()}_QUEUE_URL`;

/** A message of a queue: the primary key of the item that the work is for. */
export interface QueueMessage {
  readonly PK: string;
  readonly SK: string;
}

/** A message that a worker has received, for the so-many-th time. */
export interface ReceivedMessage extends QueueMessage {
  readonly receives: number;
}

export interface OutgoingMessage {
  readonly queue: QueueName;
  readonly message: QueueMessage;
  /** 0 by default; SQS allows 15 minutes. */
  readonly delaySeconds?: number;
}

/** Sends messages and returns those that were not sent, because the queue is away; it does not throw. */
export type SendMessages = (messages: readonly OutgoingMessage[]) => Promise<readonly OutgoingMessage[]>;

/**
 * A message by its index in the batch, that stays in the queue and is delivered again: after so many seconds, or when
 * the worker has said already.
 */
export interface WaitingMessage {
  readonly index: number;
  readonly seconds?: number;
}

/** A message by its index in the batch, that is delivered again: after the visibility time of its queue, or sooner. */
export interface FailedMessage {
  readonly index: number;
  readonly error: unknown;
  readonly seconds?: number;
}

/**
 * Sets for how long received messages stay invisible, at most 12 hours; it does not throw, because a message whose
 * time is not set comes after that of its queue.
 */
export type ChangeVisibility = (
  queue: QueueName,
  messages: readonly { readonly receiptHandle: string; readonly seconds: number }[],
) => Promise<void>;

export interface QueueOptions extends BatchOptions {
  /** Keeps a message from others for so many seconds from now on; it comes again then if this run dies. */
  readonly hide: (index: number, seconds: number) => Promise<void>;
}

/** When a run that failed, or found another one at work, is followed by another. */
export const RETRY_SECONDS = 30;

/** For how long a message is hidden from others: until just after the end of this run, which may die. */
export const secondsHidden = ({ now, deadline }: BatchOptions): number =>
  Math.ceil((deadline - now.getTime()) / SECOND) + 10;

/** What is left of the work of a message. */
export type MessageProgress = { readonly kind: 'done' } | { readonly kind: 'waits'; readonly seconds: number };

/** What a worker did with a batch of its queue. */
export interface QueueOutcome {
  /** Messages whose work is done. */
  readonly done: number;
  readonly failures: readonly FailedMessage[];
  readonly waiting?: readonly WaitingMessage[];
  /** Callbacks that were given up. */
  readonly dead?: number;
}
