import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logCall, startLog } from '../../lib/api/log.ts';
import { failureBody, respond } from '../../lib/api/http/respond.ts';
import { sourceAddress } from '../../lib/api/http/source-address.ts';
import { suggestGroup } from '../../lib/api/http/suggest-path.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { groupNames } from '../names.ts';
import { health } from './health.ts';

/**
 * `/api/contacts/locate` for `/api/Contact/Locate/`, `/contacts/locate`, `/api/v1/customers/locate`. Only the group is
 * corrected; the group corrects the operation.
 */
function nearestPath(path: string): string | undefined {
  const segments = path.slice(0, 200).toLowerCase().split('/').filter(Boolean);
  const inner = segments.filter((segment, index) => !(index < 3 && /^(?:api|rest|v\d{1,2})$/.test(segment)));
  const [group = '', operation] = inner;
  const near = segments.length ? suggestGroup(group, groupNames) : undefined;
  return near && `/api/${near}/${operation?.slice(0, 64) ?? '…'}`;
}

/** Serves the `$default` route: /health, and for every other path outside the groups a 404 with a hint. */
export const handler = (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> =>
  event.rawPath === '/health' ? health(event) : notFound(event);

async function notFound(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const { rawPath, requestContext } = event;
  const { requestId } = requestContext;
  const near = nearestPath(rawPath);
  const hint = near
    ? `Did you mean ${near}?`
    : `Operations are at /api/<group>/<operation>; the groups are ${groupNames.join(', ')}.`;
  logCall(startLog({ requestId, source: sourceAddress(event) }), 404);
  return respond(
    requestId,
    404,
    failureBody(new Failure('unknown_path', `Path ${rawPath.slice(0, 100)} not found. ${hint}`)),
  );
}
