import type { Context as LambdaContext } from 'aws-lambda';
import type { OperationGroup } from '../lib/api/group.ts';
import type { CallMode } from '../lib/api/perform.ts';
import type { Event } from '../lib/api/respond.ts';

type Groups = Readonly<Record<string, () => Promise<OperationGroup>>>;

/**
 * The groups that assistants and the office can call, each loaded at its first call. The omitted ones take or return
 * files, move event queues, or manage users and webhooks.
 */
export const assistantGroups: Groups = {
  accountingclasses: async () => (await import('./accountingclasses/index.ts')).accountingclasses,
  appointments: async () => (await import('./appointments/index.ts')).appointments,
  blogs: async () => (await import('./blogs/index.ts')).blogs,
  cancelreasons: async () => (await import('./cancelreasons/index.ts')).cancelreasons,
  channels: async () => (await import('./channels/index.ts')).channels,
  contacts: async () => (await import('./contacts/index.ts')).contacts,
  customfields: async () => (await import('./customfields/index.ts')).customfields,
  invoice: async () => (await import('./invoice/index.ts')).invoice,
  organizations: async () => (await import('./organizations/index.ts')).organizations,
  part: async () => (await import('./part/index.ts')).part,
  payment: async () => (await import('./payment/index.ts')).payment,
  proposal: async () => (await import('./proposal/index.ts')).proposal,
  serviceagents: async () => (await import('./serviceagents/index.ts')).serviceagents,
  services: async () => (await import('./services/index.ts')).services,
  settings: async () => (await import('./settings/index.ts')).settings,
  task: async () => (await import('./task/index.ts')).task,
  test: async () => (await import('./test/index.ts')).test,
};

/** Those of the office alone: assistants send nothing to clients. */
const calledGroups: Groups = {
  ...assistantGroups,
  messages: async () => (await import('./messages/index.ts')).messages,
};

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

/** The call that calls operations, and its whole key. */
export interface CallingCall {
  readonly event: Event;
  readonly lambda: LambdaContext;
  readonly credential: string;
  readonly requestId: string;
}

/** Calls an operation with the key of the call: role, restrictions, rate and audit apply as usual. */
export async function callOperation(
  { event, lambda, credential, requestId }: CallingCall,
  { operation: name, request, idempotencyKey, mode = {} }: OperationCall,
): Promise<OperationAnswer> {
  const [group = '', operation = ''] = name.split('/');
  const { serve } = await (calledGroups[group] as () => Promise<OperationGroup>)();
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
