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

/** The same as in the guides. */
const KEY_PLACEHOLDER = 'fsk_…';
/** What Scalar shows in place of a key that is not entered yet: in the field, and in the examples. */
const PLACEHOLDERS = ['QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', 'YOUR_SECRET_TOKEN'];

/**
 * The script of Scalar's API reference. Scalar's own package installs 271 others, 287 MB; the package for Fastify has
 * the same script in one file, and serves it at a route, which is all that is needed here.
 */
export async function loadScalar(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: Route[] = [];
  const server = { route: (route: Route) => routes.push(route), hasPlugin: () => false };
  (plugin as unknown as Plugin)(server, { configuration: { url: '/openapi.json' } }, () => undefined);
  const reply: Reply = { header: () => reply, send: (body) => body };
  const script = routes.find(({ url }) => url.endsWith(SCRIPT))?.handler({}, reply);
  if (typeof script !== 'string') throw new Error(`@scalar/fastify-api-reference serves no ${SCRIPT} any more.`);
  const missing = PLACEHOLDERS.filter((placeholder) => !script.includes(placeholder));
  if (missing.length) throw new Error(`Scalar's script has no ${missing.join(', ')} any more.`);
  return PLACEHOLDERS.reduce((text, placeholder) => text.replaceAll(placeholder, KEY_PLACEHOLDER), script).replace(
    /\n\/\/# sourceMappingURL=.*$/,
    '',
  );
}
