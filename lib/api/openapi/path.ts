import { formatBytes } from '../../shared/text/text.ts';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import { roles } from '../../shared/roles.ts';
import { type Operation, ignoredFields } from '../operation.ts';
import { allows } from '../callers/keys.ts';
import { isOfContract } from './contract-operations.ts';
import { failureResponses, header, responseHeaders } from './failures.ts';
import { operationId, operationTitle } from './operation-ids.ts';
import { type JsonSchema, ignoredResult, prefixed, reference, toJsonSchema } from './schemas.ts';

const keyField = { type: ['string', 'null'], description: 'The API key, if not sent in the header X-Api-Key.' };

/** The schema of the request: the key, its fields, and in the full document also those that the operation ignores. */
function toRequestSchema(operation: Operation, response: JsonSchema, isFull: boolean): JsonSchema {
  const schema = toJsonSchema(operation.requestSchema(), 'input');
  const accepted = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const results = (response.properties ?? {}) as Record<string, JsonSchema>;
  const request = Object.keys(operation.request());
  const resultFields = Object.keys(accepted).filter((name) => name !== 'ApiKey' && !request.includes(name));
  const ignored: readonly string[] = ignoredFields(operation);
  const input = isFull ? request : request.filter((name) => !ignored.includes(name));
  const properties: Record<string, unknown> = {
    ApiKey: keyField,
    ...Object.fromEntries(input.map((name) => [name, accepted[name] ?? {}])),
    ...(isFull ? Object.fromEntries(resultFields.map((name) => [name, ignoredResult(results[name])])) : {}),
  };
  for (const name of isFull ? ignored : [])
    properties[name] = prefixed(accepted[name] ?? {}, 'Ignored by this operation.');
  const { fields = {}, required = [] } = operation.document?.() ?? {};
  for (const [name, sentence = ''] of Object.entries(fields))
    properties[name] = prefixed(accepted[name] ?? {}, sentence);
  for (const name of required)
    if ([accepted[name]?.type].flat().includes('array'))
      properties[name] = { ...(properties[name] as JsonSchema), minItems: 1 };
  const allRequired = [...(schema.required ?? []), ...required];
  return { ...schema, properties: properties as never, ...(allRequired.length ? { required: allRequired } : {}) };
}

function describeAccess(operation: Operation): string {
  const allowed = roles.filter((role) => allows(role, operation));
  return allowed.length === roles.length ? 'Keys of every role' : allowed.join(', ');
}

/** What a call changes. A reading operation with a `:write` need describes its own effect. */
function describeEffect({ access, needs }: Operation): string {
  if (access === 'read')
    return needs.some((need) => need.endsWith(':write')) ? 'See the rules.' : 'It reads and changes nothing.';
  return access === 'write' ? 'It changes data.' : 'It changes who may do what.';
}

const describeRepeats = ({ access, isWrite }: Operation): string =>
  access === 'read' && !isWrite ? 'Repeat it freely.' : 'With an Idempotency-Key it has one effect within 24 hours.';

/** A description in Markdown: the summary, the rules as a list, and a table of who may call it and how often. */
function describeOperation(operation: Operation): string {
  const { summary, rules = [], maxBody = MAX_BODY_BYTES } = operation;
  const rows = [
    ['Effect', describeEffect(operation)],
    ['Roles', describeAccess(operation)],
    ['Body', `At most ${formatBytes(maxBody)}`],
    ['Repeats', describeRepeats(operation)],
    ...(operation.beforeExample ? [['Before the example', operation.beforeExample]] : []),
  ];
  return [
    summary,
    rules.map((rule) => `- ${rule}`).join('\n'),
    ['| | |', '| --- | --- |', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const redirectResponse = (types: readonly string[], schema: JsonSchema) => ({
  description: `The file is at the address of the header Location, for a caller who accepts ${types.join(' or ')}.`,
  headers: { ...responseHeaders(303), Location: { description: 'The same as Url.', schema: { type: 'string' } } },
  content: { 'application/json': { schema } },
});

/** The path item of an operation with its request and response components. */
interface DocumentedOperation {
  readonly path: object;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * The path item of an operation: one POST with its request, its answer and every failure. Forms are in the full
 * document only: generators merge both body types into one call, which can send neither.
 */
export function operationPath(operation: Operation, answer: object | undefined, isFull: boolean): DocumentedOperation {
  const { group, access, needs, example, title: summary, query = {} } = operation;
  const response = toJsonSchema(operation.responseSchema(), 'output');
  const { requests = {}, responses = {} } = operation.document?.() ?? {};
  const title = operationTitle(operation);
  const isPaged = needs.includes('table:page') && operation.pageSizeField() !== undefined;
  const mayWrite = access !== 'read' || operation.isWrite !== undefined;
  const parameters = [...(mayWrite ? ['IdempotencyKey'] : []), ...(isPaged ? ['List'] : [])].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  const queryParameters = Object.entries(query).map(([name, { values, about }]) => ({
    name,
    in: 'query',
    required: false,
    description: about,
    schema: { type: 'string', enum: values, default: values[0] },
  }));
  const post = {
    ...(isOfContract(operation) ? {} : { 'x-extension': true }),
    operationId: operationId(operation),
    tags: [group],
    summary,
    description: describeOperation(operation),
    // OpenAPI has no scheme for a key in the body, so `{}` allows the header to be missing.
    security: [{ ApiKey: [] }, {}],
    ...(parameters.length + queryParameters.length ? { parameters: [...parameters, ...queryParameters] } : {}),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference(`${title}Request`), example }, ...(isFull ? requests : {}) },
    },
    responses: {
      200: {
        description: 'Success.',
        headers: { ...responseHeaders(200), ...(isPaged ? { ...header('X-List'), ...header('X-Next-Skip') } : {}) },
        content: {
          'application/json': { schema: reference(`${title}Response`), ...(answer ? { example: answer } : {}) },
        },
      },
      ...responses,
      ...(operation.redirect ? { 303: redirectResponse(operation.redirect.types, reference(`${title}Response`)) } : {}),
      ...failureResponses(operation),
    },
  };
  const components = {
    [`${title}Request`]: toRequestSchema(operation, response, isFull),
    [`${title}Response`]: response,
  };
  return { path: { post }, components };
}
