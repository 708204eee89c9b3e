import { createRequire } from 'node:module';
import type { Context } from 'aws-lambda';

/*
 * One container of a function: a process with the function's bundle and environment. It handles an event at a time.
 */
interface Invocation {
  readonly event: object;
  readonly requestId: string;
  readonly milliseconds: number;
}

type Handler = (event: object, context: Partial<Context>) => Promise<unknown>;

const [, , file = ''] = process.argv;
const { handler } = createRequire(import.meta.url)(file) as { handler: Handler };

process.on('message', async ({ event, requestId, milliseconds }: Invocation) => {
  const end = performance.now() + milliseconds;
  const context = {
    awsRequestId: requestId,
    functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '',
    getRemainingTimeInMillis: () => Math.max(0, end - performance.now()),
  };
  try {
    process.send?.({ answer: (await handler(event, context)) ?? null });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.send?.('ready');
