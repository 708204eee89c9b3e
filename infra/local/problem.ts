import { createServer } from 'node:net';

/**
 * Why the local stack cannot start or go on, as one sentence that a person can act on; it is told without a stack
 * trace.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The code of a system error (`EADDRINUSE`), or the empty string. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What an unknown error says of itself. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
export const portNumber = (address: string | undefined): number =>
  address && URL.canParse(address) ? Number(new URL(address).port) : 0;

/** Wakes whoever waits. */
export class Signal {
  #waiting = new Set<() => void>();

  fire(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next `fire`, or after so many milliseconds. */
  async wait(milliseconds?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
