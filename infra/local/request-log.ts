import { type HttpRequest, type HttpResponse, splitTarget } from './api-gateway.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly response: Pick<HttpResponse, 'status' | 'body'>;
  readonly at: Date;
  readonly milliseconds: number;
}

const MAX_PATH = 100;
const MAX_MESSAGE = 300;
const OPERATION_WIDTH = 28;

/**
 * `/c/proposal/…`, `/api/leads/…`: whoever reads a log must not be able to open clients' links. Style sheets and
 * scripts are public.
 */
const withoutLink = (path: string): string => path.replace(/^(\/c\/(?!assets\/)[^/]*\/|\/api\/leads\/)[^/?]+/, '$1…');

/** A caller's path in a form in which line breaks and other control characters cannot forge a log line. */
export const printablePath = (path = ''): string =>
  JSON.stringify(withoutLink(path).slice(0, MAX_PATH))
    .slice(1, -1)
    .replaceAll(/\p{C}|\p{Z}/gu, '?');

const printableMessage = (message: string): string => {
  const line = message.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1).trimEnd()}…` : line;
};

/** The `Message` of a failure; empty if it is not in our format. */
function failureMessage({ status, body }: AnsweredRequest['response']): string {
  if (status < 400) return '';
  try {
    const { Message } = JSON.parse(body.toString()) as { Message?: unknown };
    return typeof Message === 'string' ? printableMessage(Message) : '';
  } catch {
    return '';
  }
}

/** `contacts/locate`, or the whole path if it is not an operation; without the query. */
function operationOf({ method, target }: Pick<HttpRequest, 'method' | 'target'>): string {
  const path = printablePath(splitTarget(target).path);
  const [, operation] = /^\/api\/([^/]+\/[^/]+)$/.exec(path) ?? [];
  return `${method === 'POST' ? '' : `${method} `}${operation ?? path}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `14:03:59  contacts/locate               400     3 ms  NameSerch is not a field; did you mean NameSearch?` */
export function formatRequest(request: AnsweredRequest): string {
  const { at, response, milliseconds } = request;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  const took = `${String(Math.round(milliseconds)).padStart(5)} ms`;
  const columns = [time, operationOf(request).padEnd(OPERATION_WIDTH), response.status, took, failureMessage(response)];
  return columns.join('  ').trimEnd();
}
