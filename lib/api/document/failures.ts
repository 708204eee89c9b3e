import { Failure, type FailureCode, conflict, failureKinds, forbidden, notFound } from '../../shared/failure.ts';
import { roles } from '../../store/api-keys.ts';
import { StoreUnavailable } from '../../store/dynamodb/errors.ts';
import { failureBody, toFailure } from '../answer.ts';
import { readCredential } from '../authenticate.ts';
import type { Operation } from '../operation.ts';
import { MAX_BODY_BYTES } from '../receive.ts';
import { allows } from '../roles.ts';
import { validRequest } from '../validate.ts';

/** What each code means, in the words of the interface. */
const meanings: Record<FailureCode, string> = {
  400: 'A field is missing, of the wrong type, out of range, unknown, or contradicts another. `Errors` names every one.',
  401: 'No key, an unknown key, a revoked or an expired one: one message for all of them.',
  403: "The key's role or organization does not allow it.",
  404: 'The thing named does not exist for this key.',
  405: 'Called with another method than POST.',
  409: 'The state forbids it, or the Idempotency-Key was used for another request.',
  413: 'The body is too large.',
  429: 'Over the rate of the key; `Retry-After` says when to try again.',
  500: 'A fault of ours; `Message` carries the request id.',
  503: 'The store is throttled or away, or time ran out; safe to try again.',
};

/** What any call can end with. */
const always: readonly FailureCode[] = [400, 401, 403, 405, 413, 429, 500, 503];
const REQUEST_ID = 'JKJaXmPLvHcESHA=';

/** The codes with which a call of the operation can end, ascending. */
export function failureCodes({ failures, access }: Operation): FailureCode[] {
  const declared = failures.map((kind) => failureKinds[kind]);
  const repeated: FailureCode[] = access === 'read' ? [] : [409];
  return [...new Set([...always, ...declared, ...repeated])].sort((a, b) => a - b);
}

/** What `attempt` fails with. */
function failing(attempt: () => unknown): Failure {
  try {
    attempt();
  } catch (error) {
    return toFailure(error, REQUEST_ID);
  }
  throw new TypeError('an example of a failure did not fail');
}

/** The first field of the request that names a thing, with its value in the example. */
function idOf({ request, example }: Operation): [field: string, value: unknown] {
  const field = Object.keys(request()).find((name) => /.Id$/.test(name)) ?? 'Id';
  return [field, example[field] ?? 1042];
}

const nounOf = (field: string, { group }: Operation) =>
  field === 'Id'
    ? group.replace(/s$/, '')
    : field
        .replace(/Id$/, '')
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toLowerCase();

/** Failures whose sentence depends on what is called. */
const own: Record<400 | 403 | 404 | 409, (operation: Operation) => Failure> = {
  400: (operation) => {
    const fields = Object.keys(operation.request());
    const misspelt = fields.map((name) => name.slice(0, -1)).find((name) => name && !fields.includes(name)) ?? 'Nam';
    return failing(() => validRequest(operation, { ...operation.example, [misspelt]: 'x' }));
  },
  403: (operation) => {
    const role = roles.find((one) => !allows(one, operation));
    return forbidden(
      role
        ? `A key of role ${role} may not call ${operation.name}.`
        : 'This key belongs to organization 1 and may not name another.',
    );
  },
  404: (operation) => {
    const [field, value] = idOf(operation);
    return notFound(nounOf(field, operation), field, value);
  },
  409: () => conflict('This Idempotency-Key was used for another request. Use a new one for a new request.'),
};

const shared: Record<Exclude<FailureCode, keyof typeof own>, () => Failure> = {
  401: () => failing(() => readCredential(undefined, undefined)),
  405: () => new Failure(405, 'Call contacts/locate with POST.'),
  413: () => new Failure(413, `The body has ${MAX_BODY_BYTES + 1} bytes; at most ${MAX_BODY_BYTES} are taken.`),
  429: () => new Failure(429, 'This key may make 50 calls a second, 100 at once. Try again in 1 s.'),
  500: () => toFailure(new Error('a fault'), REQUEST_ID),
  503: () => toFailure(new StoreUnavailable('away'), REQUEST_ID),
};

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const rate = { ...header('RateLimit-Limit'), ...header('RateLimit-Remaining'), ...header('RateLimit-Reset') };
/** Refused before the key was known, so that there is no rate to tell of. */
const unmetered: ReadonlySet<number> = new Set([401, 405, 413]);

/** The headers of an answer with this status. */
export const failureHeaders = (status: number): Record<string, unknown> => ({
  ...header('X-Request-Id'),
  ...(unmetered.has(status) ? {} : rate),
  ...(status === 429 || status === 503 ? header('Retry-After') : {}),
  ...(status === 405 ? header('Allow') : {}),
});

const response = (code: FailureCode, failure: Failure) => ({
  description: meanings[code],
  headers: failureHeaders(code),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      example: JSON.parse(failureBody(failure)) as unknown,
    },
  },
});

/** Failures that read the same whatever is called; the document says each once. */
const alike = {
  401: 'NoKey',
  405: 'WrongMethod',
  413: 'TooLarge',
  429: 'TooManyCalls',
  500: 'Fault',
  503: 'Unavailable',
} as const;
const isAlike = (code: FailureCode): code is keyof typeof alike => code in alike;

/** Those failures, for `components.responses`. */
export const sharedResponses = (): Record<string, object> =>
  Object.fromEntries(
    (Object.keys(alike) as `${keyof typeof alike}`[]).map((text) => {
      const code = Number(text) as keyof typeof alike;
      return [alike[code], response(code, shared[code]())];
    }),
  );

/** The failures of an operation, each with a sentence that it really answers with. */
export function failureResponses(operation: Operation): Record<string, object> {
  const responseOf = (code: FailureCode) =>
    isAlike(code) ? { $ref: `#/components/responses/${alike[code]}` } : response(code, own[code](operation));
  return Object.fromEntries(failureCodes(operation).map((code) => [String(code), responseOf(code)]));
}
