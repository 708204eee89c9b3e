import { createServer } from 'node:http';
import { listen } from '../../../infra/local/ports.ts';
import type { Stack } from '../../../infra/local/stack.ts';

/** What a test process may ask of the stack, which runs in another one. */
const commands: Record<string, (stack: Stack) => unknown> = {
  '/drain': (stack) => stack.drain(),
  '/expire': (stack) => stack.expire(),
  '/dead-letters': (stack) => stack.deadLetters(),
};

/** Lets the test processes reach the stack's stream. */
export async function startRemote(stack: Stack): Promise<{ address: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const command = commands[request.url ?? ''];
    response.writeHead(command ? 200 : 404).end(JSON.stringify((await command?.(stack)) ?? null));
  });
  const { endpoint: address, stop } = await listen(server);
  return { address, stop };
}
