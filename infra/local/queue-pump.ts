import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueRules } from '../queues.ts';
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

/** Feeds a queue to its worker. */
export interface QueuePump {
  /** Resolves when no batch is running; none begins until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when the running batches have ended. */
  stop(): Promise<void>;
}

/** SQS keeps a request open so long while a queue is empty. */
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
 * Polls a queue as Lambda does for an event source with ReportBatchItemFailures: so many batches at once as the worker
 * may run; what a run reports, and all of a run that fails or dies, comes again after the visibility timeout.
 */
export function startQueuePump(options: QueueOptions): QueuePump {
  const { name, client, url, rules, handler, log } = options;
  const control = new LoopControl();
  const abort = new AbortController();
  const running = new Set<Promise<void>>();

  async function receive(): Promise<readonly Message[]> {
    const request = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: rules.batchSize,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(request, { abortSignal: abort.signal })).Messages ?? [];
  }

  async function handle(messages: readonly Message[]): Promise<void> {
    const records = messages.map((message) => toRecord(message, options));
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

  function track(batch: Promise<void>): void {
    const task = batch
      .catch((error: unknown) => void (control.isEnded || log(`queue ${name}: ${String(error)}`)))
      .finally(() => {
        running.delete(task);
        control.progress.fire();
      });
    running.add(task);
  }

  async function poll(): Promise<void> {
    while (!control.isEnded) {
      try {
        const messages = await receive();
        await control.waitWhilePaused();
        if (messages.length && !control.isEnded) track(handle(messages));
        while (running.size >= rules.maximumConcurrency) await control.progress.wait();
      } catch (error) {
        if (control.isEnded) return;
        log(`queue ${name}: ${String(error)}`);
        await control.wait(ERROR_MILLISECONDS);
      }
    }
  }

  const polling = poll();
  return {
    async pause() {
      control.pause();
      await Promise.all(running);
    },
    resume: () => control.resume(),
    async stop() {
      control.end();
      abort.abort();
      await Promise.all([polling, ...running]);
      client.destroy();
    },
  };
}
