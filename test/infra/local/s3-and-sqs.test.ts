import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalAws, startAws } from '../../../infra/local/s3-and-sqs.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { type QueueHandler, QueuePump } from '../../../infra/local/queue-pump.ts';
import { until } from '../../support/stack/process.ts';

const region = 'us-east-1';
let folder: string;
let aws: LocalAws;

/** Its dead letters are the queue `lost`. */
const work = [
  { name: 'lost' },
  { name: 'work', visibilitySeconds: 1, deadLetters: { queue: 'lost', maxReceiveCount: 2 } },
];
const start = async () =>
  startAws({ folder, port: await freePort(), region, bucket: 'files', queues: [{ name: 'dead' }, ...work] });
const settings = () => ({
  endpoint: aws.endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
const Key = 'contacts/1/photo.png';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aws-'));
  aws = await start();
});
afterEach(async () => {
  await aws.stop();
  rmSync(folder, { recursive: true });
});

test('the bucket and the queues are there, and their content at the next start too, on another port', async () => {
  await new S3Client(settings()).send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'bytes' }));
  aws.send('dead', 'letter');
  expect(aws.waiting('dead')).toEqual(['letter']);
  const before = aws.endpoint;
  await aws.stop();
  aws = await start();
  expect(aws.endpoint).not.toBe(before);
  const { Body } = await new S3Client(settings()).send(new GetObjectCommand({ Bucket: 'files', Key }));
  expect(await Body?.transformToString()).toBe('bytes');
  // As in a function: the address of SQS comes from the environment, that of the queue from SQS.
  const { endpoint: AWS_ENDPOINT_URL_SQS, ...others } = settings();
  Object.assign(process.env, { AWS_ENDPOINT_URL_SQS });
  const sqs = new SQSClient(others);
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'dead' }));
  expect(QueueUrl).toBe(`${aws.endpoint}/000000000000/dead`);
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages?.map((message) => message.Body)).toEqual(['letter']);
});

test('they are reached at 127.0.0.1 alone', async () => {
  const { port } = new URL(aws.endpoint);
  const answered = (host: string) =>
    new Promise<boolean>((done) => {
      const socket = connect(Number(port), host, () => socket.write('GET /health HTTP/1.0\r\n\r\n'));
      socket
        .once('data', () => done(true))
        .once('error', () => done(false))
        .once('close', () => done(false));
    });
  expect(await answered('127.0.0.1')).toBe(true);
  for (const other of ['127.0.0.2', '::1']) expect(await answered(other)).toBe(false);
});

const rules = { batchSize: 10, maximumConcurrency: 2, timeoutSeconds: 1, maxReceiveCount: 2 };

/** The bodies of each delivery to a worker that runs until `done` holds. */
async function deliveries(handler: QueueHandler, done: (bodies: readonly string[][]) => boolean): Promise<string[][]> {
  const bodies: string[][] = [];
  const pump = new QueuePump({
    name: 'work',
    client: new SQSClient({ ...settings(), useQueueUrlAsEndpoint: false }),
    url: aws.urlOf('work'),
    region,
    rules,
    handler(event, context) {
      bodies.push(event.Records.map(({ body }) => body));
      return handler(event, context);
    },
    log: () => undefined,
  });
  await until(() => done(bodies), 6_000);
  await pump.stop();
  return bodies;
}

const reportFailed: QueueHandler = async ({ Records }) => ({
  batchItemFailures: Records.flatMap(({ body, messageId }) => (body === 'bad' ? [{ itemIdentifier: messageId }] : [])),
});

test('a worker gets batches; what it reports comes again, and then is a dead letter; the rest is done', async () => {
  for (const body of ['good', 'bad', 'better']) aws.send('work', body);
  const bodies = await deliveries(reportFailed, () => aws.waiting('lost').length === 1);
  expect(bodies).toEqual([['good', 'bad', 'better'], ['bad']]);
  expect([aws.waiting('lost'), aws.count('work')]).toEqual([['bad'], 0]);
});

test('a message of a run that was killed comes again, after a new start at once', async () => {
  aws.send('work', 'one');
  const sqs = new SQSClient({ ...settings(), useQueueUrlAsEndpoint: false });
  await sqs.send(new ReceiveMessageCommand({ QueueUrl: aws.urlOf('work'), VisibilityTimeout: 3_600 }));
  await aws.stop();
  aws = await start();
  expect(await deliveries(reportFailed, () => aws.count('work') === 0)).toEqual([['one']]);
});
