import { roles } from '../../store/api-keys.ts';
import type { Operation } from '../operation.ts';
import { allows } from '../roles.ts';
import { requestSchema, responseSchema } from '../validate.ts';
import { failureResponses, failureHeaders } from './failures.ts';
import { sample } from './samples.ts';
import { type JsonSchema, ignored, toJsonSchema } from './schemas.ts';

/** Stands in examples where the caller's key goes. */
export const KEY_PLACEHOLDER = '<your API key>';

const keyField: JsonSchema = { type: 'string', description: 'The API key, unless it comes in the header X-Api-Key.' };

/**
 * The request's schema: the key, the fields it may bring, and those that clients with one type for both ways send
 * along, by the type of the result.
 */
function requestOf(operation: Operation, response: JsonSchema): JsonSchema {
  const schema = toJsonSchema(requestSchema(operation), 'input');
  const accepted = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const results = (response.properties ?? {}) as Record<string, JsonSchema>;
  const input = Object.keys(operation.request());
  const sentAlong = Object.keys(accepted).filter((name) => name !== 'ApiKey' && !input.includes(name));
  return {
    ...schema,
    properties: {
      ...('ApiKey' in accepted ? { ApiKey: keyField } : {}),
      ...Object.fromEntries(input.map((name) => [name, accepted[name] ?? {}])),
      ...Object.fromEntries(sentAlong.map((name) => [name, ignored(results[name]?.type ?? 'object')])),
    },
  };
}

/** Who may call, in a sentence. */
function callers(operation: Operation): string {
  const allowed = roles.filter((role) => allows(role, operation));
  return allowed.length === roles.length
    ? 'Keys of every role may call it.'
    : `Keys of these roles may call it: ${allowed.join(', ')}.`;
}

/**
 * What a call may change, in a sentence; a reading operation that may also write (a cursor, say) tells of it itself.
 */
function effect({ access, needs }: Operation): string[] {
  if (access === 'read') return needs.some((need) => need.endsWith(':write')) ? [] : ['It reads and changes nothing.'];
  return [access === 'write' ? 'It changes data.' : 'It changes who may do what.'];
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The path item of an operation: one POST with its request, its answer and every failure. */
export function operationPath(operation: Operation, components: Record<string, JsonSchema>): object {
  const { name, group, operation: verb, summary, description, credential = 'any', example } = operation;
  const response = toJsonSchema(responseSchema(operation), 'output');
  const answer = { ...(sample(response, components, example) as object), ResultCode: 0, Message: '' };
  const inBody = credential === 'any';
  const post = {
    operationId: group + capitalized(verb),
    tags: [group],
    summary,
    description: [...(description ? [description] : []), ...effect(operation), callers(operation)].join(' '),
    // OpenAPI has no scheme for a key in the body: `{}` says that the header may be missing, and the field ApiKey says
    // why.
    security: inBody ? [{ ApiKey: [] }, {}] : [{ ApiKey: [] }],
    ...(operation.access === 'read' ? {} : { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestOf(operation, response),
          example: { ...(inBody ? { ApiKey: KEY_PLACEHOLDER } : {}), ...example },
        },
      },
    },
    responses: {
      200: {
        description: 'Done.',
        headers: failureHeaders(200),
        content: { 'application/json': { schema: response, example: answer } },
      },
      ...failureResponses(operation),
    },
  };
  return { [`/api/${name}`]: { post } };
}
