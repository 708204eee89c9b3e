interface Route {
  readonly url: string;
  readonly handler: (request: object, reply: Reply) => unknown;
}

interface Reply {
  header(): Reply;
  send(body: unknown): unknown;
}

type Plugin = (server: object, options: object, done: () => void) => void;

const SCRIPT = '/js/scalar.js';

/**
 * The script of Scalar's API reference. Its own package installs 271 others, 287 MB; that for Fastify has the same
 * script in one file and serves it at a route, which is all that is asked of it here.
 */
export async function loadScalar(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: Route[] = [];
  const server = { route: (route: Route) => routes.push(route), hasPlugin: () => false };
  (plugin as unknown as Plugin)(server, { configuration: { url: '/openapi.json' } }, () => undefined);
  const reply: Reply = { header: () => reply, send: (body) => body };
  const script = routes.find(({ url }) => url.endsWith(SCRIPT))?.handler({}, reply);
  if (typeof script !== 'string') throw new Error(`@scalar/fastify-api-reference serves no ${SCRIPT} any more.`);
  return script.replace(/\n\/\/# sourceMappingURL=.*$/, '');
}
