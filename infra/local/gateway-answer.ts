import type { APIGatewayProxyResultV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { failureBody, respond } from '../../lib/api/answer.ts';
import { Failure } from '../../lib/api/failure.ts';
import type { Outcome } from './lambda.ts';

/** An HTTP response, ready to be sent. `headers` may hold a name several times. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const isStructured = (value: unknown): value is APIGatewayProxyStructuredResultV2 =>
  typeof value === 'object' && value !== null && 'statusCode' in value;

const valid = ({ statusCode }: APIGatewayProxyStructuredResultV2): boolean =>
  typeof statusCode === 'number' && Number.isInteger(statusCode) && statusCode >= 100 && statusCode <= 599;

/** What API Gateway makes of a handler's result; without a status it takes the whole result as a JSON body. */
function answerOf(result: APIGatewayProxyResultV2 | undefined, requestId: string): HttpAnswer {
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result ?? null));
    return { status: 200, headers: [['content-type', 'application/json']], body };
  }
  if (!valid(result)) return failureAnswer(fault(requestId), requestId);
  const { statusCode = 200, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: [
      ...(named.some(([name]) => name === 'content-type')
        ? []
        : [['content-type', 'text/plain;charset=UTF-8'] as const]),
      ...named,
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const fault = (requestId: string): Failure => new Failure(500, `A fault of ours; request ${requestId}.`);

/** A failure that the gateway itself answers, in the same shape as those of the operations. */
export function failureAnswer(failure: Failure, requestId: string): HttpAnswer {
  return answerOf(respond({ requestId, headers: failure.headers }, failure.code, failureBody(failure)), requestId);
}

/** 413 of a body of so many bytes. */
export const tooLarge = (bytes: number, most: string): Failure =>
  new Failure(413, `The body has ${bytes} bytes; at most ${most} are taken.`);

/**
 * The response to an invocation. What API Gateway would answer in words of its own when it or Lambda gives up
 * (`{"message":"Service Unavailable"}` and the like, which we cannot change there) is here in our shape: a client
 * written against the local stack meets no third kind of answer, and the statuses are the same.
 */
export function gatewayAnswer(
  outcome: Outcome<APIGatewayProxyResultV2>,
  requestId: string,
  bodyBytes: number,
): HttpAnswer {
  switch (outcome.kind) {
    case 'answer':
      return answerOf(outcome.answer, requestId);
    case 'requestTooLarge':
      // Lambda counts the event as JSON, in which a body grows by escapes or by a third as base64.
      return failureAnswer(tooLarge(bodyBytes, '6 MB as Lambda counts them'), requestId);
    case 'timeout':
      return failureAnswer(
        new Failure(503, 'Time ran out. It is safe to try again; with an Idempotency-Key nothing is done twice.', {
          headers: { 'Retry-After': '1' },
        }),
        requestId,
      );
    case 'error':
      return failureAnswer(fault(requestId), requestId);
  }
}
