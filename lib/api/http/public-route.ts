import { Failure } from '../../shared/failure.ts';
import { type Event, type Handler, type Result, errorHandler, handlerOf, logger, served } from '../respond.ts';

/**
 * Serves GET of a path that anyone may call without a key, with the failures and log line of an operation. It must read
 * nothing of an account and cost next to nothing, because only the throttle of the stage limits its calls.
 */
export const publicRoute = (
  name: string,
  serve: (event: Event, requestId: string) => Result | Promise<Result>,
): Handler =>
  handlerOf(
    served()
      .use(logger(name, false))
      .use(errorHandler)
      .before(({ event }) => checkGet(event))
      .handler(async (event: Event, { log }) => serve(event, log.requestId)),
  );

/** Throws 405 for methods other than GET and HEAD. */
export function checkGet({ requestContext }: Event): void {
  if (!['GET', 'HEAD'].includes(requestContext.http.method))
    throw new Failure('wrong_method', 'Call this path with GET.', { headers: { Allow: 'GET, HEAD' } });
}
