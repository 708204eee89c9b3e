import { createServer } from 'node:net';

const canListen = (port: number): Promise<number | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' ? address?.port : undefined));
    });
  });

/**
 * A free port of this machine, `preferred` when nobody has it: endpoints that stay the same suit tools that were
 * pointed at them.
 */
export async function freePort(preferred = 0): Promise<number> {
  const port = (await canListen(preferred)) ?? (await canListen(0));
  if (port === undefined) throw new Error('no port is free on 127.0.0.1');
  return port;
}

/** The port of an address like `http://127.0.0.1:4000`, or 0. */
export const portOf = (address: string | undefined): number =>
  address && URL.canParse(address) ? Number(new URL(address).port) : 0;
