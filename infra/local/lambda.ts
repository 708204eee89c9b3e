import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { MAX_LAMBDA_BYTES } from '../../lib/shared/limits.ts';
import { errorMessage } from './problem.ts';

export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'requestTooLarge'; readonly bytes: number };

export interface FunctionSettings {
  readonly name: string;
  readonly timeoutMilliseconds: number;
}

const region = () => process.env['AWS_REGION'] ?? 'us-east-1';

export const functionArn = (name: string): string => `arn:aws:lambda:${region()}:000000000000:function:${name}`;

function lambdaContext({ name, timeoutMilliseconds }: FunctionSettings): Context {
  const end = performance.now() + timeoutMilliseconds;
  const callback = () => {
    throw new TypeError('handlers return a promise and do not use the context');
  };
  return {
    awsRequestId: randomUUID(),
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(name),
    memoryLimitInMB: '1024',
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, end - performance.now()),
    done: callback,
    fail: callback,
    succeed: callback,
  };
}

/**
 * Calls a handler as Lambda does: event and result are passed as JSON, within Lambda's limits of size and time. A
 * handler that times out continues here, where Lambda would freeze it, but its result is dropped.
 */
export async function invoke<Event, Answer>(
  handler: (event: Event, context: Context) => Promise<Answer>,
  event: Event,
  settings: FunctionSettings,
): Promise<Outcome<Answer>> {
  const payload = JSON.stringify(event);
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_LAMBDA_BYTES) return { kind: 'requestTooLarge', bytes };
  const { promise: timeUp, resolve: endTime } = Promise.withResolvers<Outcome<Answer>>();
  const timer = setTimeout(endTime, settings.timeoutMilliseconds, { kind: 'timeout' });
  try {
    return await Promise.race([run(handler, JSON.parse(payload) as Event, settings), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

async function run<Event, Answer>(
  handler: (event: Event, context: Context) => Promise<Answer>,
  event: Event,
  settings: FunctionSettings,
): Promise<Outcome<Answer>> {
  try {
    const text = JSON.stringify(await handler(event, lambdaContext(settings))) as string | undefined;
    if (text === undefined) return { kind: 'answer', answer: undefined as Answer };
    if (Buffer.byteLength(text) > MAX_LAMBDA_BYTES)
      return { kind: 'error', error: new RangeError('the result exceeds what Lambda returns') };
    return { kind: 'answer', answer: JSON.parse(text) as Answer };
  } catch (error) {
    return { kind: 'error', error };
  }
}

export const explainFailure = (outcome: Exclude<Outcome<unknown>, { kind: 'answer' }>): string => {
  if (outcome.kind === 'error') return errorMessage(outcome.error);
  return outcome.kind === 'timeout' ? 'the function timed out' : `the event has ${outcome.bytes} bytes`;
};
