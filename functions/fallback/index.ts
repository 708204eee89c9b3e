import { type Event, type Handler, errorHandler, handlerOf, logger, respond, served } from '../../lib/api/respond.ts';
import { publicRoute } from '../../lib/api/http/public-route.ts';
import { suggestGroup, suggestOperation } from '../../lib/api/http/suggest-path.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { groupNames, operationNames } from '../names.ts';
import { health } from './health.ts';

/**
 * `/api/contacts/locate` for `/api/Contact/Locate/`, `/contacts/locate`, `/api/v1/customers/locate`; `undefined` for a
 * single word outside /api that is not a group, such as `/unsubscribe`.
 */
function nearestPath(path: string): string | undefined {
  const segments = path.slice(0, 200).toLowerCase().split('/').filter(Boolean);
  const inner = segments.filter((segment, index) => !(index < 3 && /^(?:api|rest|v\d{1,2})$/.test(segment)));
  const [group = '', operation] = inner;
  const isCall = inner.length > 1 || inner.length < segments.length || groupNames.includes(group);
  const near = isCall ? suggestGroup(group, groupNames) : undefined;
  return near && `/api/${near}/${(operation && suggestOperation(operation, operationNames[near] ?? [])) ?? '…'}`;
}

/** Serves the `$default` route: /, /health, and for every other path outside the groups a 404 with a hint. */
export const handler: Handler = (event, context) => {
  if (event.rawPath === '/health') return health(event, context);
  return event.rawPath === '/' ? toDocumentation(event, context) : notFound(event, context);
};

/** Redirects a browser at the root of the deployment to the documentation. */
const toDocumentation = publicRoute('docs', (_, requestId) => respond(requestId, 303, '', { Location: '/docs' }));

const notFound = handlerOf(
  served()
    .use(logger())
    .use(errorHandler)
    .handler(({ rawPath }: Event) => {
      const near = nearestPath(rawPath);
      const hint = near
        ? `Did you mean ${near}?`
        : `Operations are at /api/<group>/<operation>; the groups are ${groupNames.join(', ')}.`;
      throw new Failure('unknown_path', `Path ${rawPath.slice(0, 100)} not found. ${hint}`);
    }),
);
