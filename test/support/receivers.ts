import { type RequestListener, createServer } from 'node:http';
import { listen } from '../../infra/local/ports.ts';

/** A call as a receiver got it. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly at: number;
}

/** A receiver of callbacks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  stop(): Promise<void>;
}

/** Starts a receiver that keeps every call, and answers each as `answer` does: 204 by default. */
export async function startReceiver(
  answer: RequestListener = (_, response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      calls.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      answer(request, response);
    });
  });
  const { endpoint: url, stop } = await listen(server);
  return { url, calls, stop };
}
