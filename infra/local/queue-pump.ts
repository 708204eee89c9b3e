import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueRules } from '../../lib/api/workers.ts';
import { explainFailure, invoke } from './lambda.ts';
import { LoopControl } from './loop-control.ts';

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | void>;

export interface QueueOptions {
  readonly name: string;
  readonly client: SQSClient;
  readonly url: string;
  readonly region: string;
  readonly rules: QueueRules;
  readonly handler: QueueHandler;
  readonly log: (line: string) => void;
}

/** How long SQS keeps a request open while a queue is empty. */
const WAIT_SECONDS = 5;
const ERROR_MILLISECONDS = 250;

const toRecord = (message: Message, { name, region }: QueueOptions): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: message.Attributes?.['ApproximateReceiveCount'] ?? '1',
    SentTimestamp: message.Attributes?.['SentTimestamp'] ?? '0',
    SenderId: '000000000000',
    ApproximateFirstReceiveTimestamp: message.Attributes?.['ApproximateFirstReceiveTimestamp'] ?? '0',
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:${region}:000000000000:${name}`,
  awsRegion: region,
});

/**
 * Polls a queue as Lambda does for an event source with ReportBatchItemFailures: as many batches at once as the worker
 * may run. What a run reports, and everything from a run that fails or dies, is delivered again after the visibility
 * timeout.
 */
export class QueuePump {
  readonly #options: QueueOptions;
  readonly #control = new LoopControl();
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #polling: Promise<void>;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#polling = this.#poll();
  }

  /** Resolves when no batch is running; none starts until `resume`. */
  async pause(): Promise<void> {
    this.#control.pause();
    await Promise.all(this.#running);
  }

  resume(): void {
    this.#control.resume();
  }

  /** Resolves when the running batches have ended. */
  async stop(): Promise<void> {
    this.#control.end();
    this.#abort.abort();
    await Promise.all([this.#polling, ...this.#running]);
    this.#options.client.destroy();
  }

  async #poll(): Promise<void> {
    const { name, rules, log } = this.#options;
    while (!this.#control.isEnded) {
      try {
        const messages = await this.#receive();
        await this.#control.waitWhilePaused();
        if (messages.length && !this.#control.isEnded) this.#track(this.#handle(messages));
        while (this.#running.size >= rules.maximumConcurrency) await this.#control.progress.wait();
      } catch (error) {
        if (this.#control.isEnded) return;
        log(`queue ${name}: ${String(error)}`);
        await this.#control.wait(ERROR_MILLISECONDS);
      }
    }
  }

  async #receive(): Promise<readonly Message[]> {
    const { client, url, rules } = this.#options;
    const request = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: rules.batchSize,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(request, { abortSignal: this.#abort.signal })).Messages ?? [];
  }

  async #handle(messages: readonly Message[]): Promise<void> {
    const { name, client, url, rules, handler, log } = this.#options;
    const records = messages.map((message) => toRecord(message, this.#options));
    const timeoutMilliseconds = rules.timeoutSeconds * 1_000;
    const outcome = await invoke(handler, { Records: records }, { name, timeoutMilliseconds });
    if (outcome.kind !== 'answer') {
      log(`${name}, ${records.length} messages: ${explainFailure(outcome)}`);
      return;
    }
    const failed = new Set(outcome.answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = records.filter(({ messageId }) => !failed.has(messageId));
    if (!done.length) return;
    const Entries = done.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }

  #track(batch: Promise<void>): void {
    const { name, log } = this.#options;
    const task = batch
      .catch((error: unknown) => void (this.#control.isEnded || log(`queue ${name}: ${String(error)}`)))
      .finally(() => {
        this.#running.delete(task);
        this.#control.progress.fire();
      });
    this.#running.add(task);
  }
}
