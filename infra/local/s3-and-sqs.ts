import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startFauxqs } from 'fauxqs';
import { BUCKET_HEADERS, BUCKET_METHODS } from '../cors.ts';
import { crossOrigin, foreignPage } from './local-callers.ts';

/** A queue to create, and where its messages go after `maxReceiveCount` deliveries. */
export interface LocalQueue {
  readonly name: string;
  readonly visibilitySeconds?: number;
  readonly deadLetters?: { readonly queue: string; readonly maxReceiveCount: number };
}

/** S3 and SQS of the local stack. */
export interface LocalAws {
  readonly endpoint: string;
  urlOf(queue: string): string;
  send(queue: string, body: string): void;
  /** How many messages are in a queue: waiting, delayed or being handled. */
  count(queue: string): number;
  /** The message bodies in a queue, without removing them. */
  waiting(queue: string): readonly string[];
  stop(): Promise<void>;
}

/**
 * Queue URLs contain the port of the run that created them, and clients call a queue by its URL. Messages that a worker
 * held when that run was killed are delivered again at once.
 */
function updateQueues(folder: string, port: number): void {
  const file = join(folder, 'fauxqs.db');
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  database
    .prepare("UPDATE sqs_queues SET url = ? || substr(url, instr(substr(url, 9), '/') + 8)")
    .run(`http://127.0.0.1:${port}`);
  database.exec('UPDATE sqs_messages SET visibility_deadline = 0 WHERE visibility_deadline IS NOT NULL');
  database.close();
}

/**
 * The emulator listens on every address and checks no credentials: connections to other addresses than 127.0.0.1 are
 * cut, and so are requests of web pages, except those of allowed origins for files. It does not support preflights, so
 * they are answered here first.
 */
function refuseOtherCallers(port: number, bucket: string, allowed: readonly string[]): () => void {
  const checkConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port && !/^(::ffff:)?127\.0\.0\.1$/.test(socket.localAddress ?? '')) socket.destroy();
  };
  const checkRequest = (message: unknown) => {
    const { request, response, socket } = message as {
      request: IncomingMessage;
      response: ServerResponse;
      socket: Socket;
    };
    if (socket.localPort !== port) return;
    const origins = request.url?.startsWith(`/${bucket}/`) ? allowed : [];
    if (foreignPage(request, { servesPages: false, origins }) !== undefined) return void socket.destroy();
    const page = crossOrigin(request, { origins, methods: BUCKET_METHODS, headers: BUCKET_HEADERS });
    for (const [name, value] of Object.entries(page?.headers ?? {})) response.setHeader(name, value);
    if (page?.isPreflight) response.writeHead(204).end();
  };
  subscribe('net.server.socket', checkConnection);
  subscribe('http.server.request.start', checkRequest);
  return () => {
    unsubscribe('net.server.socket', checkConnection);
    unsubscribe('http.server.request.start', checkRequest);
  };
}

const ACCOUNT = '000000000000';

const attributesOf = ({ visibilitySeconds = 30, deadLetters }: LocalQueue, region: string): Record<string, string> => ({
  MessageRetentionPeriod: '1209600',
  VisibilityTimeout: String(visibilitySeconds),
  ...(deadLetters
    ? {
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: `arn:aws:sqs:${region}:${ACCOUNT}:${deadLetters.queue}`,
          maxReceiveCount: deadLetters.maxReceiveCount,
        }),
      }
    : {}),
});

/**
 * Starts S3 and SQS in this process, with their state in `folder` or in memory, and creates missing buckets and queues.
 */
export async function startAws({
  folder,
  port,
  region,
  bucket,
  queues,
  corsOrigins = [],
}: {
  folder: string | undefined;
  port: number;
  region: string;
  bucket: string;
  queues: readonly LocalQueue[];
  corsOrigins?: readonly string[] | undefined;
}): Promise<LocalAws> {
  if (folder !== undefined) updateQueues(folder, port);
  const release = refuseOtherCallers(port, bucket, corsOrigins);
  const init = {
    queues: queues.map((queue) => ({ name: queue.name, attributes: attributesOf(queue, region) })),
    buckets: [bucket],
  };
  const kept = folder === undefined ? {} : { dataDir: folder };
  const server = await startFauxqs({ port, logger: false, defaultRegion: region, ...kept, init });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    urlOf: (queue) => `http://127.0.0.1:${port}/${ACCOUNT}/${queue}`,
    count(queue) {
      const { ready = [], delayed = [], inflight = [] } = server.inspectQueue(queue)?.messages ?? {};
      return ready.length + delayed.length + inflight.length;
    },
    send: (queue, body) => void server.sendMessage(queue, body),
    waiting: (queue) => (server.inspectQueue(queue)?.messages.ready ?? []).map(({ body }) => body),
    async stop() {
      await server.stop();
      release();
    },
  };
}
