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
