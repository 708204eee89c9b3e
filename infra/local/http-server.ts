import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from 'aws-lambda';
import type { FailureCode } from '../../lib/shared/failure-codes.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { ALLOWED_HEADERS, API_METHODS } from '../cors.ts';
import {
  type HttpResponse,
  type HttpRequest,
  type Route,
  decode,
  failureResponse,
  gatewayResponse,
  gatewayEvent,
  splitTarget,
  tooLarge,
} from './api-gateway.ts';
import { invoke, explainFailure } from './lambda.ts';
import { crossOrigin, foreignPage } from './local-callers.ts';
import { listen } from './ports.ts';
import { Problem, errorCode } from './problem.ts';
import { type AnsweredRequest, printablePath } from './request-log.ts';

export type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyResultV2>;

/** A handler for each group with the paths of its routes, and one for every other path. */
export interface Handlers {
  readonly groups: readonly {
    readonly name: string;
    /** `/api/contacts/{operation}`; as in API Gateway, a path without a parameter takes precedence. */
    readonly paths: readonly string[];
    readonly handler: HttpHandler;
  }[];
  readonly fallback: HttpHandler;
}

export interface HttpServerOptions extends Handlers {
  readonly port: number;
  /** The function's time limit: API Gateway waits 30 s, infra/api.ts gives the functions 29. */
  readonly timeoutMilliseconds?: number;
  /** Origins of web pages that may call, besides those that are served here. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Called after each response, because something may have been written. */
  readonly onResponse?: () => void;
  readonly log?: (line: string) => void;
  /** Called for each answered request. */
  readonly onRequest?: (request: AnsweredRequest) => void;
}

/** The HTTP server of the local stack. */
export interface HttpServer {
  readonly port: number;
  /** Waits at most a second for running requests. */
  stop(): Promise<void>;
}

/** API Gateway's limit for a request body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/**
 * A body that is too large is read and dropped up to this size, because many clients read no response before they have
 * sent everything.
 */
const MAX_DROPPED_BYTES = 100 * 1024 * 1024;
const STOP_MILLISECONDS = 1_000;

/** The body and its full length; the body is empty if it is too large. */
async function readBody(request: IncomingMessage): Promise<{ body: Buffer; bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > MAX_DROPPED_BYTES) break;
  }
  return { body: Buffer.concat(chunks), bytes };
}

interface ChosenRoute {
  readonly route: Route;
  readonly name: string;
  readonly handler: HttpHandler;
}

/** A path of a group, split into its parts. */
interface CompiledPath {
  readonly path: string;
  readonly parts: readonly { readonly text: string; readonly parameter: string | undefined }[];
  readonly name: string;
  readonly handler: HttpHandler;
}

/** Chooses the route of a target: the matching one with the fewest parameters. */
function compileRoutes({ groups, fallback }: Handlers): (target: string) => ChosenRoute {
  const paths = groups.flatMap(({ name, paths, handler }) => paths.map((path) => compilePath(path, name, handler)));
  const byLength = Map.groupBy(
    paths.sort((one, other) => parametersOf(one) - parametersOf(other)),
    ({ parts }) => parts.length,
  );
  return (target) => {
    const parts = splitTarget(target).path.split('/');
    const found = byLength.get(parts.length)?.find((path) => fits(path, parts));
    if (!found) return { route: { routeKey: '$default' }, name: 'fallback', handler: fallback };
    const { path, name, handler } = found;
    const parameters = found.parts.flatMap(({ parameter }, index) =>
      parameter ? [[parameter, decode(parts[index] ?? '')] as const] : [],
    );
    const pathParameters = parameters.length ? { pathParameters: Object.fromEntries(parameters) } : {};
    return { route: { routeKey: `ANY ${path}`, ...pathParameters }, name, handler };
  };
}

function compilePath(path: string, name: string, handler: HttpHandler): CompiledPath {
  const parts = path.split('/').map((text) => ({ text, parameter: /^\{(\w+)\}$/.exec(text)?.[1] }));
  return { path, parts, name, handler };
}

const parametersOf = ({ parts }: CompiledPath): number => parts.filter(({ parameter }) => parameter).length;

const fits = ({ parts }: CompiledPath, target: readonly string[]): boolean =>
  parts.every(({ text, parameter }, index) => (parameter ? Boolean(target[index]) : text === target[index]));

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  for (const [name, value] of headers) response.appendHeader(name, value);
  // node:http itself omits the body of a response to HEAD.
  response.writeHead(status, { 'content-length': body.length }).end(body);
}

/** Bytes that are not HTTP also get a response in our format, before the connection is closed. */
function refuse(error: Error, socket: Duplex): void {
  if (!socket.writable || errorCode(error) === 'ECONNRESET') return void socket.destroy();
  const isTooLong = errorCode(error) === 'HPE_HEADER_OVERFLOW';
  const body = JSON.stringify({
    ResultCode: 400,
    Code: 'invalid_body' satisfies FailureCode,
    Message: isTooLong ? 'The headers are longer than 10 KB.' : 'This is not an HTTP request.',
  });
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.end(`HTTP/1.1 400 Bad Request\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Serves HTTP on this machine with the deployed handlers, like API Gateway and Lambda. This file shows a request from
 * its first byte to its answer.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { port, timeoutMilliseconds = 29_000, onResponse = () => undefined, log = () => undefined } = options;
  const { onRequest = () => undefined, corsOrigins: origins = [] } = options;
  const chooseRoute = compileRoutes(options);

  async function respondTo(request: HttpRequest, bytes: number): Promise<HttpResponse> {
    const { route, name, handler } = chooseRoute(request.target);
    const event = gatewayEvent(request, route);
    const { requestId } = event.requestContext;
    if (bytes > MAX_BODY_BYTES) return failureResponse(tooLarge(bytes, '10 MB'), requestId);
    const outcome = await invoke(handler, event, { name, timeoutMilliseconds });
    if (outcome.kind !== 'answer') log(`${request.method} ${printablePath(event.rawPath)}: ${explainFailure(outcome)}`);
    return gatewayResponse(outcome, requestId, bytes);
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/', httpVersion, rawHeaders, socket } = incoming;
    const sourceIp = (socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
    const at = new Date();
    const since = performance.now();
    const answer = (answered: HttpResponse): void => {
      send(response, answered);
      onRequest({ method, target, response: answered, at, milliseconds: performance.now() - since });
    };
    // The address of a form answers the preflights of its sites itself.
    const takesForms = splitTarget(target).path.startsWith('/api/leads/');
    const reason = foreignPage(incoming, { servesPages: true, takesForms, origins });
    if (reason !== undefined) {
      response.setHeader('connection', 'close');
      return answer(failureResponse(new Failure('origin_forbidden', reason), 'none'));
    }
    const page = takesForms
      ? undefined
      : crossOrigin(incoming, { origins, methods: API_METHODS, headers: ALLOWED_HEADERS });
    if (page?.isPreflight) return answer({ status: 204, headers: Object.entries(page.headers), body: Buffer.alloc(0) });
    for (const [name, value] of Object.entries(page?.headers ?? {})) response.setHeader(name, value);
    const { body, bytes } = await readBody(incoming);
    const request = {
      method,
      target,
      protocol: `HTTP/${httpVersion}`,
      rawHeaders,
      body,
      sourceIp,
      port: socket.localPort ?? port,
      now: at,
    };
    answer(await respondTo(request, bytes));
    onResponse();
  }

  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 10 * 1024 }, (incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // The caller hung up, or a handler returned something that HTTP cannot carry.
      if (incoming.destroyed && !response.writable) return;
      log(`${incoming.method} ${printablePath(incoming.url)}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else send(response, failureResponse(new Failure('internal_error', 'Internal error.'), 'none'));
    });
  });
  server.on('clientError', refuse);
  const listening = await listen(server, port).catch((error: unknown) => {
    if (errorCode(error) === 'EADDRINUSE')
      throw new Problem(`Port ${port} is in use by another program. Stop that program, or set PORT to another port.`);
    if (errorCode(error) === 'EACCES')
      throw new Problem(`Port ${port} is reserved for the administrator. Set PORT to a port above 1023.`);
    throw error;
  });
  return {
    port: listening.port,
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS);
      await closed;
      clearTimeout(late);
    },
  };
}
