import { Failure, conflict, forbidden, notFound } from '../../shared/failure.ts';
import type { FailureStatus } from '../../shared/failure-codes.ts';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import { roles } from '../../shared/roles.ts';
import { StoreUnavailable } from '../../store/dynamodb/errors.ts';
import { allows } from '../callers/keys.ts';
import type { Operation } from '../operation.ts';
import { invalidRequest } from '../invalid-request.ts';
import { tooLarge, readCredential } from '../http/read-request.ts';
import { failureBody, toFailure } from '../respond.ts';

const meanings: Record<FailureStatus, string> = {
  400:
    'A field is missing, of the wrong type, out of range, unknown, or contradicts another. ' +
    '`Errors` lists every invalid field.',
  401: 'The API key is missing, unknown, revoked or expired.',
  403: "The key's role or organization does not allow the call.",
  404: 'The record does not exist for this key.',
  405: 'The method is not POST.',
  406: 'The path is sent compressed only.',
  409: 'The state does not allow the call, or the Idempotency-Key belongs to another request.',
  413: 'The body is too large (256 KB, unless the operation takes more), or the answer is.',
  429:
    'The rate limit of the key is exceeded, or the key has too many calls in flight; `Retry-After` says when to try ' +
    'again. A call costs one token, an expensive one more: read units / 150 + write units / 50 + milliseconds of ' +
    'processor time / 100, rounded up and charged when it ends.',
  500: 'Internal error; `Message` contains the request id.',
  503: 'The service is busy or the call ran out of time. It is safe to try again.',
};

/** Only the documentation answers 406. */
type OperationStatus = Exclude<FailureStatus, 406>;

/** Failures that every operation can have. */
const commonStatuses: readonly OperationStatus[] = [400, 401, 403, 405, 413, 429, 500, 503];
const REQUEST_ID = 'JKJaXmPLvHcESHA=';

/** Whether the request names a record: by a required id, or by any id if the operation is not a list. */
const namesRecord = ({ request, needs }: Operation): boolean =>
  Object.entries(request()).some(
    ([name, { required }]) => /(?:^|[a-z])Id$/.test(name) && (required || !needs.includes('table:page')),
  );

/** The statuses with which an operation can fail, ascending. */
export function failureStatuses(operation: Operation): OperationStatus[] {
  const { access, failures = namesRecord(operation) ? ['notFound'] : [] } = operation;
  const own = failures.map((kind) => (kind === 'notFound' ? 404 : 409));
  const idempotency: OperationStatus[] = access === 'read' ? [] : [409];
  return [...new Set([...commonStatuses, ...own, ...idempotency])].sort((a, b) => a - b);
}

function failureOf(attempt: () => unknown): Failure {
  try {
    attempt();
  } catch (error) {
    return toFailure(error, REQUEST_ID);
  }
  throw new TypeError('The example of a failure did not fail.');
}

/** Failures whose message depends on the operation, each with an example. */
const ownExamples: Record<400 | 403 | 404 | 409, (operation: Operation) => Failure> = {
  400: (operation) => {
    const fields = Object.keys(operation.request());
    const misspelt = fields.map((name) => name.slice(0, -1)).find((name) => name && !fields.includes(name)) ?? 'Nam';
    const body = { ...operation.example, [misspelt]: 'x' };
    const { error } = operation.requestSchema().safeParse(body);
    if (!error) throw new TypeError(`${operation.name} takes the field ${misspelt}.`);
    return invalidRequest(operation, error, body);
  },
  403: (operation) => {
    const role = roles.find((one) => !allows(one, operation));
    return forbidden(
      role ? 'role_forbidden' : 'organization_forbidden',
      role
        ? `A key of role ${role} may not call ${operation.name}.`
        : 'This key is bound to organization 1. Leave OrganizationId out, or use a key of the account.',
    );
  },
  404: ({ group, request, example }) => {
    const field = Object.keys(request()).find((name) => /.Id$/.test(name)) ?? 'Id';
    const noun = field === 'Id' ? group.replace(/s$/, '') : field.replace(/Id$/, '');
    return notFound(noun.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(), field, example[field] ?? 1042);
  },
  409: () =>
    conflict(
      'idempotency_mismatch',
      'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    ),
};

/** Failures that are the same for every operation; the document has each once. */
const shared: Record<Exclude<OperationStatus, keyof typeof ownExamples>, { name: string; example: () => Failure }> = {
  401: { name: 'Unauthorized', example: () => failureOf(() => readCredential({}, () => ({ text: '', apiKey: '' }))) },
  405: { name: 'MethodNotAllowed', example: () => new Failure('wrong_method', 'Call contacts/locate with POST.') },
  413: { name: 'TooLarge', example: () => tooLarge('contacts/locate', MAX_BODY_BYTES + 1, MAX_BODY_BYTES) },
  429: {
    name: 'TooManyCalls',
    example: () => new Failure('rate_limited', 'This key may make 50 calls a second, 100 at once. Try again in 1 s.'),
  },
  500: { name: 'InternalError', example: () => toFailure(new Error('internal'), REQUEST_ID) },
  503: { name: 'Unavailable', example: () => toFailure(new StoreUnavailable('unavailable'), REQUEST_ID) },
};
const isShared = (status: OperationStatus): status is keyof typeof shared => status in shared;

export const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const rateLimit = { ...header('RateLimit-Limit'), ...header('RateLimit-Remaining'), ...header('RateLimit-Reset') };
/** These fail before the key, and so its rate limit, is known. */
const unlimited: ReadonlySet<number> = new Set([401, 405, 413]);

/** The headers of an answer with this status. */
export const responseHeaders = (status: number): Record<string, unknown> => ({
  ...header('X-Request-Id'),
  ...(unlimited.has(status) ? {} : rateLimit),
  ...(status === 429 || status === 503 ? header('Retry-After') : {}),
  ...(status === 405 ? header('Allow') : {}),
});

const toResponse = (failure: Failure) => ({
  description: meanings[failure.status],
  headers: responseHeaders(failure.status),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      example: JSON.parse(failureBody(failure)) as unknown,
    },
  },
});

/** `components.responses`. */
export const sharedResponses = (): Record<string, object> =>
  Object.fromEntries(Object.values(shared).map(({ name, example }) => [name, toResponse(example())]));

/** The failures of an operation, each with a real message. */
export const failureResponses = (operation: Operation): Record<string, object> =>
  Object.fromEntries(
    failureStatuses(operation).map((status) => [
      String(status),
      isShared(status)
        ? { $ref: `#/components/responses/${shared[status].name}` }
        : toResponse(ownExamples[status](operation)),
    ]),
  );
