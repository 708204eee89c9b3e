import type { OperationGroup } from '../../lib/api/group.ts';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import type { Operation } from '../../lib/api/operation.ts';
import type { CallMode } from '../../lib/api/perform.ts';

/**
 * The groups that assistants can call, each loaded at its first call. The omitted ones take or return files, move event
 * queues, or manage users and webhooks.
 */
const groups: Readonly<Record<string, () => Promise<OperationGroup>>> = {
  accountingclasses: async () => (await import('../accountingclasses/index.ts')).accountingclasses,
  appointments: async () => (await import('../appointments/index.ts')).appointments,
  blogs: async () => (await import('../blogs/index.ts')).blogs,
  cancelreasons: async () => (await import('../cancelreasons/index.ts')).cancelreasons,
  channels: async () => (await import('../channels/index.ts')).channels,
  contacts: async () => (await import('../contacts/index.ts')).contacts,
  customfields: async () => (await import('../customfields/index.ts')).customfields,
  invoice: async () => (await import('../invoice/index.ts')).invoice,
  organizations: async () => (await import('../organizations/index.ts')).organizations,
  part: async () => (await import('../part/index.ts')).part,
  payment: async () => (await import('../payment/index.ts')).payment,
  proposal: async () => (await import('../proposal/index.ts')).proposal,
  serviceagents: async () => (await import('../serviceagents/index.ts')).serviceagents,
  services: async () => (await import('../services/index.ts')).services,
  settings: async () => (await import('../settings/index.ts')).settings,
  task: async () => (await import('../task/index.ts')).task,
  test: async () => (await import('../test/index.ts')).test,
};

/** An assistant must not sign for a client; the others belong to groups of their own, which take files. */
const NOT_FOR_ASSISTANTS: ReadonlySet<string> = new Set(['proposal/accept', 'contacts/upload', 'proposal/upload']);

/** Whether assistants reach its group and it is not excluded by name. */
export const isReached = (name: string): boolean =>
  Object.hasOwn(groups, name.split('/')[0] ?? '') && !NOT_FOR_ASSISTANTS.has(name);

/** The operation, if assistants may call it: none that changes permissions. */
export async function findOperation(name: string): Promise<Operation | undefined> {
  const [group = ''] = name.split('/');
  const load = isReached(name) ? groups[group] : undefined;
  const operation = (await load?.())?.operations.find((each) => each.name === name);
  return operation?.access === 'admin' ? undefined : operation;
}

/** The answer of an operation: the HTTP status, the object of its answer or failure, and the NextSkip of its page. */
export interface OperationAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface OperationCall {
  readonly operation: string;
  readonly request: object;
  readonly idempotencyKey?: string;
  readonly mode?: CallMode;
}

/** Calls an operation with the key of the call: role, restrictions, rate and audit apply as usual. */
export async function callOperation(
  { event, lambda, credential, requestId }: KeyCall,
  { operation: name, request, idempotencyKey, mode = {} }: OperationCall,
): Promise<OperationAnswer> {
  const [group = '', operation = ''] = name.split('/');
  const { serve } = await (groups[group] as () => Promise<OperationGroup>)();
  const path = `/api/${name}`;
  const { authorization: _, 'idempotency-key': __, 'x-list': ___, ...headers } = event.headers;
  const result = await serve(
    {
      ...event,
      rawPath: path,
      rawQueryString: '',
      queryStringParameters: {},
      pathParameters: { operation },
      headers: {
        ...headers,
        'x-api-key': credential,
        'content-type': 'application/json',
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      requestContext: {
        ...event.requestContext,
        requestId,
        http: { ...event.requestContext.http, method: 'POST', path },
      },
      body: JSON.stringify(request),
      isBase64Encoded: false,
    },
    lambda,
    mode,
  );
  const body = JSON.parse(result.body ?? '{}') as Record<string, unknown>;
  const next = result.headers?.['X-Next-Skip'];
  return { status: result.statusCode ?? 500, body: next === undefined ? body : { ...body, NextSkip: Number(next) } };
}
