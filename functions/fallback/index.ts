import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { failureBody, respond } from '../../lib/api/answer.ts';
import { logCall } from '../../lib/api/log.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { nearest } from '../../lib/shared/text.ts';
import { Meter } from '../../lib/store/dynamodb/meter.ts';
import { groupNames } from '../names.ts';

/**
 * The path that was likely meant, like `/api/contacts/locate` by `/api/Contact/Locate/`; its group knows best what the
 * operation should be. All names are in lower case.
 */
function nearestPath(path: string): string | undefined {
  const [, api = '', group = '', operation = ''] = path.toLowerCase().split('/');
  const near = api === 'api' ? nearest(group, groupNames) : undefined;
  return near && `/api/${near}/${operation.slice(0, 64) || '…'}`;
}

/** Serves the `$default` route: every path that no group has gets a 404 that helps, never an empty body. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const idle = { meter: new Meter() };
  const call = {
    now: new Date(),
    startedAt: performance.now(),
    requestId: event.requestContext.requestId,
    headers: {},
    table: idle,
    ownTable: idle,
  };
  const near = nearestPath(event.rawPath);
  const hint = near
    ? `Did you mean ${near}?`
    : `Operations are at /api/<group>/<operation>; the groups are ${groupNames.join(', ')}.`;
  logCall(call, 404);
  return respond(
    call,
    404,
    failureBody(new Failure(404, `There is nothing at ${event.rawPath.slice(0, 100)}. ${hint}`)),
  );
}
