import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { groups } from '../../../functions/index.ts';

/** The event API Gateway would make of a call, as far as the handlers read it. */
export function apiEvent(
  operation: string,
  body: unknown,
  { key = '', headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): APIGatewayProxyEventV2 {
  const path = `/api/${operation}`;
  const http = { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'test' };
  return {
    version: '2.0',
    routeKey: 'ANY',
    rawPath: path,
    rawQueryString: '',
    headers: { 'x-api-key': key, ...headers },
    isBase64Encoded: false,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    pathParameters: { operation: operation.split('/')[1] ?? '' },
    requestContext: {
      http,
      accountId: '0',
      apiId: 'test',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      requestId: randomUUID(),
      routeKey: 'ANY',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
  };
}

/** Calls a deployed handler in this process, without HTTP. */
export async function invoke(
  operation: string,
  body: unknown,
  options: { key?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  // Some operations have a function of their own; an unknown one reaches that of its group, as in API Gateway.
  const path = `/api/${operation}`;
  const group =
    groups.find(({ paths }) => paths.includes(path)) ?? groups.find(({ name }) => name === operation.split('/')[0]);
  if (!group) throw new Error(`there is no group for ${operation}`);
  const result = await group.handler(apiEvent(operation, body, options), {} as Context);
  return { status: result.statusCode ?? 0, body: JSON.parse(result.body ?? '{}') as Record<string, unknown> };
}

/** The same for a file: GET /files/{id}, in this process. */
export async function invokeFile(
  id: number,
  { key }: { key: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { handler } = groups.find(({ name }) => name === 'files') ?? {};
  if (!handler) throw new Error('there is no group of files');
  const event = apiEvent('files/get', '', { key });
  const rawPath = `/files/${id}`;
  const http = { ...event.requestContext.http, method: 'GET', path: rawPath };
  const requestContext = { ...event.requestContext, http };
  const result = await handler({ ...event, rawPath, requestContext, pathParameters: { id: `${id}` } }, {} as Context);
  return { status: result.statusCode ?? 0, body: {} };
}

/** The event of a page that a browser opens, or to which it sends a form. */
const openAt = (event: ReturnType<typeof apiEvent>, { pathname, searchParams }: URL, method: 'GET' | 'POST') => ({
  ...event,
  rawPath: pathname,
  rawQueryString: `${searchParams}`,
  queryStringParameters: Object.fromEntries(searchParams),
  requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method, path: pathname } },
});

/** A page or form of a client, in this process. */
export async function invokePage(
  address: string,
  sent?: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; text: string }> {
  const { handler } = groups.find(({ name }) => name === 'pages') ?? {};
  if (!handler) throw new Error('there is no group of pages');
  const url = new URL(address);
  const [, , page, handle, file] = url.pathname.split('/');
  const headers = { 'sec-fetch-site': 'same-origin', ...sent?.headers };
  const event = openAt(apiEvent('pages/open', sent?.body ?? '', { headers }), url, sent ? 'POST' : 'GET');
  const pathParameters = { page, handle, ...(file === undefined ? {} : { file }) };
  const result = await handler({ ...event, pathParameters }, {} as Context);
  return { status: result.statusCode ?? 0, headers: result.headers ?? {}, text: result.body ?? '' };
}

/** A page of the office with the cookies of a browser, in this process. */
export async function invokeOffice(
  address: string,
  { cookies }: { readonly cookies: readonly string[] },
): Promise<{ status: number; text: string }> {
  const { handler } = groups.find(({ name }) => name === 'office') ?? {};
  if (!handler) throw new Error('there is no group of the office');
  const url = new URL(address, 'https://api.example.com');
  const [, , page, id] = url.pathname.split('/');
  const event = openAt(apiEvent('office/open', ''), url, 'GET');
  const pathParameters = { ...(page ? { page } : {}), ...(id ? { id } : {}) };
  const result = await handler({ ...event, pathParameters, cookies: [...cookies] }, {} as Context);
  return { status: result.statusCode ?? 0, text: result.body ?? '' };
}

/** A tool of POST /mcp, in this process. */
export async function invokeTool(
  name: string,
  args: object,
  { key }: { readonly key: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { handler } = groups.find((group) => group.name === 'mcp') ?? {};
  if (!handler) throw new Error('there is no group of assistants');
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const event = apiEvent('mcp/call', message, { key, headers });
  const result = await handler({ ...event, rawPath: '/mcp', pathParameters: {} }, {} as Context);
  return { status: result.statusCode ?? 0, body: JSON.parse(result.body ?? '{}') as Record<string, unknown> };
}
