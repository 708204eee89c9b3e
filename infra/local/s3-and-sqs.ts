import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startFauxqs } from 'fauxqs';
import { foreignPage } from './local-callers.ts';

/** S3 and SQS of the local stack. */
export interface LocalAws {
  readonly endpoint: string;
  send(queue: string, body: string): void;
  /** The bodies in a queue, which stay there. */
  waiting(queue: string): readonly string[];
  stop(): Promise<void>;
}

/** Queue URLs contain the port of the run that made them, and clients call a queue by its URL. */
function updateQueueUrls(folder: string, port: number): void {
  const file = join(folder, 'fauxqs.db');
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  database
    .prepare("UPDATE sqs_queues SET url = ? || substr(url, instr(substr(url, 9), '/') + 8)")
    .run(`http://127.0.0.1:${port}`);
  database.close();
}

/**
 * The emulator listens on every address and checks no credentials: connections to others than 127.0.0.1 are cut, and
 * so are requests of foreign web pages.
 */
function refuseOtherCallers(port: number): () => void {
  const checkConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port && !/^(::ffff:)?127\.0\.0\.1$/.test(socket.localAddress ?? '')) socket.destroy();
  };
  const checkRequest = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (socket.localPort === port && foreignPage(request, { servesPages: false }) !== undefined) socket.destroy();
  };
  subscribe('net.server.socket', checkConnection);
  subscribe('http.server.request.start', checkRequest);
  return () => {
    unsubscribe('net.server.socket', checkConnection);
    unsubscribe('http.server.request.start', checkRequest);
  };
}

/** Starts S3 and SQS in this process, with their state in `folder`, and makes missing bucket and queues. */
export async function startAws({
  folder,
  port,
  region,
  bucket,
  queues,
}: {
  folder: string;
  port: number;
  region: string;
  bucket: string;
  queues: readonly string[];
}): Promise<LocalAws> {
  updateQueueUrls(folder, port);
  const release = refuseOtherCallers(port);
  const init = {
    queues: queues.map((name) => ({ name, attributes: { MessageRetentionPeriod: '1209600' } })),
    buckets: [bucket],
  };
  const server = await startFauxqs({ port, logger: false, defaultRegion: region, dataDir: folder, init });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    send: (queue, body) => void server.sendMessage(queue, body),
    waiting: (queue) => (server.inspectQueue(queue)?.messages.ready ?? []).map(({ body }) => body),
    async stop() {
      await server.stop();
      release();
    },
  };
}
