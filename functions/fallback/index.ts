import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { logCall, startLog } from '../../lib/api/log.ts';
import { failureBody, respond } from '../../lib/api/respond.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { nearest } from '../../lib/shared/text.ts';
import { groupNames } from '../names.ts';

/** `/api/contacts/locate` for `/api/Contact/Locate/`. Only the group is corrected; the group corrects the operation. */
function nearestPath(path: string): string | undefined {
  const [, api = '', group = '', operation = ''] = path.toLowerCase().split('/');
  const near = api === 'api' ? nearest(group, groupNames) : undefined;
  return near && `/api/${near}/${operation.slice(0, 64) || '…'}`;
}

/** Serves the `$default` route: every path outside the groups gets a 404 with a hint. */
export async function handler({
  rawPath,
  requestContext: { requestId, http },
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const near = nearestPath(rawPath);
  const hint = near
    ? `Did you mean ${near}?`
    : `Operations are at /api/<group>/<operation>; the groups are ${groupNames.join(', ')}.`;
  logCall(startLog({ requestId, source: http.sourceIp }), 404);
  return respond(requestId, 404, failureBody(new Failure(404, `Path ${rawPath.slice(0, 100)} not found. ${hint}`)));
}
