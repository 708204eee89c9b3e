/** A queue of SQS; functions/workers has the worker of the same name. */
export type QueueName = 'callbacks' | 'downloads' | 'copies' | 'checkouts';

/** The environment variable with the queue's URL. */
export const queueVariable = (queue: QueueName): string => `${queue.toUpperCase()}_QUEUE_URL`;

/** A message of a queue: the primary key of the item that the work is for. */
export interface QueueMessage {
  readonly PK: string;
  readonly SK: string;
}

export interface OutgoingMessage {
  readonly queue: QueueName;
  readonly message: QueueMessage;
  /** 0 by default; SQS allows 15 minutes. */
  readonly delaySeconds?: number;
}

/** Sends messages and returns those that were not sent, because the queue is away; it does not throw. */
export type SendMessages = (messages: readonly OutgoingMessage[]) => Promise<readonly OutgoingMessage[]>;

/** A message by its index in the batch, that is to be delivered again. */
export interface FailedMessage {
  readonly index: number;
  readonly error: unknown;
}

/** What a worker did with a batch of its queue. */
export interface QueueOutcome {
  /** Messages whose work is done. */
  readonly done: number;
  readonly failures: readonly FailedMessage[];
  /** Callbacks that were given up. */
  readonly dead?: number;
}
