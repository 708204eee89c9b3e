import { randomInt } from 'node:crypto';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

const openPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });

/** A free port of this machine, `preferred` if possible, so that endpoints stay the same for tools that use them. */
export async function freePort(preferred = 0): Promise<number> {
  const port = (await openPort(preferred)) ?? (await openPort(0));
  if (port === undefined) throw new Error('no port is free on 127.0.0.1');
  return port;
}

/** A server on this machine. */
export interface Listening {
  readonly port: number;
  readonly endpoint: string;
  /** Also ends open connections. */
  stop(): Promise<void>;
}

/** Lets a server listen only on this machine, on any free port by default. */
export async function listen(server: Server, preferred = 0): Promise<Listening> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(preferred, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The port of an address like `http://127.0.0.1:4000`, or 0. */
export const portNumber = (address: string | undefined): number =>
  address && URL.canParse(address) ? Number(new URL(address).port) : 0;

/**
 * A loopback address that no web page can guess, if the system has more than one: the engine behind its proxy answers
 * every page that finds it. On macOS only 127.0.0.1 exists, and only the engine's port is unknown.
 */
export const hiddenLoopback = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}` : '127.0.0.1';
