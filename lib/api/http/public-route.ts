import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Failure } from '../../shared/failure.ts';
import { failureBody, logCall, respond, startLog, toFailure } from '../respond.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/**
 * Serves GET of a path that anyone may call without a key, with the failures and the log line of an operation. It must
 * read nothing of an account and cost next to nothing: only the throttle of the stage limits its calls.
 */
export function publicRoute(name: string, serve: (event: Event, requestId: string) => Promise<Result>) {
  return async (event: Event): Promise<Result> => {
    const { http } = event.requestContext;
    const log = startLog(event);
    Object.assign(log, { operation: name, hasMetrics: false });
    try {
      checkGet(http.method);
      const result = await serve(event, log.requestId);
      await logCall(log, result.statusCode ?? 200);
      return result;
    } catch (error) {
      const failure = toFailure(error, log.requestId);
      await logCall(log, failure.status, failure.cause ?? failure);
      return respond(log.requestId, failure.status, failureBody(failure), failure.headers);
    }
  };
}

/** @throws Failure 405 for other methods than GET and HEAD. */
export function checkGet(method: string): void {
  if (method !== 'GET' && method !== 'HEAD')
    throw new Failure('wrong_method', 'Call this path with GET.', { headers: { Allow: 'GET, HEAD' } });
}
