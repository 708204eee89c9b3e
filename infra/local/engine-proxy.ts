import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { foreignPage } from './local-callers.ts';
import { listen } from './ports.ts';

/** The address at which other programs reach the engine. */
export interface EngineProxy {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Forwards requests to the engine, except those of foreign pages, because the engine lets any web page read and write
 * it. The stack's own handlers call the engine directly.
 */
export async function startEngineProxy({ port, engine }: { port: number; engine: string }): Promise<EngineProxy> {
  const agent = new Agent({ keepAlive: true });

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const reason = foreignPage(incoming, { servesPages: false });
    if (reason !== undefined) {
      response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
      return void response.end(JSON.stringify({ message: reason }));
    }
    const { method, url: path, headers } = incoming;
    const outgoing = request(engine, { agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    // The engine restarts: clients retry a request whose connection was cut.
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  const { endpoint, stop } = await listen(createServer({ keepAliveTimeout: 75_000 }, pass), port);
  return {
    endpoint,
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}
