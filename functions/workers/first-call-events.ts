import { operationNames } from '../names.ts';

/** How a function, by its name in the stack, is called, and whether its answer is an HTTP response. */
export interface FirstCall {
  readonly event: object;
  readonly isHttp: boolean;
}

/** An operation of each group that changes nothing for the canary's account. */
const operations: Readonly<Record<string, readonly [name: string, body?: object]>> = {
  contacts: ['locate', { NameSearch: 'canary' }],
  appointments: ['query'],
  proposal: ['alltemplates'],
  invoice: ['query'],
  payment: ['query'],
  task: ['query'],
  datasubscriber: ['fetch', { EventCount: 1 }],
  webhooks: ['list'],
  download: ['downloadstatus'],
  // The canary has no contact.
  messages: ['preview', { ContactId: 1, Kind: 'NewLink' }],
  organizations: ['query'],
  serviceagents: ['all'],
  services: ['all'],
  part: ['details'],
  channels: ['all'],
  blogs: ['find'],
  cancelreasons: ['all'],
  customfields: ['all'],
  accountingclasses: ['get'],
  settings: ['channels'],
  user: ['all'],
  users: ['bulkenablemfa', { Users: [] }],
  test: ['whoami'],
};

const toolsList = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** The functions of other paths: method, path, its parameters, and a body. */
const paths: Readonly<Record<string, readonly [method: string, path: string, parameters?: object, body?: object]>> = {
  fallback: ['GET', '/health'],
  docs: ['GET', '/docs'],
  files: ['GET', '/files/1', { id: '1' }],
  pages: ['GET', '/c/invoice/unknown', { page: 'invoice', handle: 'unknown' }],
  leads: ['POST', '/api/leads/unknown', { token: 'unknown' }, {}],
  mcp: ['POST', '/mcp', {}, toolsList],
  office: ['GET', '/office/sign-in', { page: 'sign-in' }],
  // Without a form the answer is 400.
  uploads: ['POST', '/api/contacts/upload', { operation: 'upload' }, {}],
};

function httpEvent(
  key: string,
  [method, path, pathParameters = {}, body]: readonly [string, string, object?, object?],
): object {
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'first-call' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    isBase64Encoded: false,
    ...(body ? { body: JSON.stringify(body) } : {}),
    pathParameters,
    requestContext: { http, requestId: 'first-call', stage: '$default' },
  };
}

/**
 * The first call of a new version: for a group an operation that reads, with the canary's key; for other paths a
 * stranger's request; for a worker a batch without records; and for the authorizer a call without its header.
 */
export function firstCallOf(name: string, key: string): FirstCall {
  const [operation, body = {}] = operations[name] ?? [];
  if (operation && operationNames[name]?.includes(operation)) {
    const path = `/api/${name}/${operation}`;
    return { event: httpEvent(key, ['POST', path, { operation }, body]), isHttp: true };
  }
  const path = paths[name];
  return path
    ? { event: httpEvent(key, path), isHttp: true }
    : { event: { FirstCall: true, Records: [], headers: {} }, isHttp: false };
}
