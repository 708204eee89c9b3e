import { type IncomingHttpHeaders, type IncomingMessage, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../infra/local/ports.ts';

/** A request to a service of AWS that the local stack does not have. */
interface AwsRequest {
  /** `GetSecretValue` of `X-Amz-Target`, the `Action` of a form, or method and path. */
  readonly operation: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface AwsAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers as services of AWS do; what has no answer is AccessDenied. */
export async function startAws(
  answer: (request: AwsRequest) => AwsAnswer | undefined | Promise<AwsAnswer | undefined>,
): Promise<{ readonly endpoint: string; stop: () => Promise<void> }> {
  const server = createServer((incoming, response) => {
    void (async () => {
      const { status = 200, headers = {}, body } = (await answer(await requestOf(incoming))) ?? denied;
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', ...headers }).end(body);
    })();
  });
  return listen(server);
}

const denied: AwsAnswer = {
  status: 400,
  headers: { 'x-amzn-errortype': 'AccessDeniedException' },
  body: JSON.stringify({ __type: 'AccessDeniedException', message: 'not authorized' }),
};

async function requestOf(incoming: IncomingMessage): Promise<AwsRequest> {
  const body = await text(incoming);
  const url = new URL(incoming.url ?? '/', 'http://aws');
  const target = String(incoming.headers['x-amz-target'] ?? '').split('.')[1];
  const action = new URLSearchParams(body).get('Action');
  return { operation: target ?? action ?? `${incoming.method} ${url.pathname}`, url, headers: incoming.headers, body };
}
