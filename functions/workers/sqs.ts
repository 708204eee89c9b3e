import { ChangeMessageVisibilityBatchCommand, SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import {
  type ChangeVisibility,
  type OutgoingMessage,
  type QueueName,
  type SendMessages,
  queueVariable,
} from '../../lib/shared/queues.ts';

/** Messages per request. */
const MAX_ENTRIES = 10;

/** By endpoint: the local stack and its tests have the queues behind a different address. */
const clients = new Map<string | undefined, SQSClient>();

/** Requests time out soon: the sender has other work, and keeps unsent messages in the table. */
function openClient(): SQSClient {
  const endpoint = process.env['AWS_ENDPOINT_URL_SQS'];
  const client =
    clients.get(endpoint) ??
    new SQSClient({
      maxAttempts: 2,
      useQueueUrlAsEndpoint: false,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    });
  clients.set(endpoint, client);
  return client;
}

/** A stage without the queue, such as one without messages, has nobody who would do the work. */
const hasQueue = (queue: QueueName): boolean => Boolean(process.env[queueVariable(queue)]);

async function sendBatch(queue: QueueName, messages: readonly OutgoingMessage[]): Promise<readonly OutgoingMessage[]> {
  if (!hasQueue(queue)) return [];
  try {
    const { Failed = [] } = await openClient().send(
      new SendMessageBatchCommand({
        QueueUrl: process.env[queueVariable(queue)],
        Entries: messages.map(({ message, delaySeconds = 0 }, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    return Failed.flatMap(({ Id }) => messages[Number(Id)] ?? []);
  } catch {
    return messages;
  }
}

/** Sends messages to their queues, ten per request, all at once. */
export const sendMessages: SendMessages = async (messages) => {
  const batches = [...Map.groupBy(messages, ({ queue }) => queue)].flatMap(([queue, ofQueue]) =>
    Array.from({ length: Math.ceil(ofQueue.length / MAX_ENTRIES) }, (_, index) =>
      sendBatch(queue, ofQueue.slice(index * MAX_ENTRIES, (index + 1) * MAX_ENTRIES)),
    ),
  );
  return (await Promise.all(batches)).flat();
};

/** Sets the visibility timeout of the messages in a batch: ten at most, one request. */
export const changeVisibility: ChangeVisibility = async (queue, messages) => {
  const request = new ChangeMessageVisibilityBatchCommand({
    QueueUrl: process.env[queueVariable(queue)],
    Entries: messages.map(({ receiptHandle, seconds }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    })),
  });
  await openClient()
    .send(request)
    .catch(() => undefined);
};
