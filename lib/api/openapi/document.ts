import type { Resource } from '../../resources/fields.ts';
import { failureCodes } from '../../shared/failure-codes.ts';
import type { Group } from '../group.ts';
import { fieldErrorMeanings, failureMeanings } from './code-meanings.ts';
import { sharedResponses } from './failures.ts';
import { groupTitle } from './operation-ids.ts';
import { operationPath } from './path.ts';
import { forGenerators } from './for-generators.ts';
import { type Calls, callComponents, webhookItems } from './webhooks.ts';
import { type JsonSchema, type Variants, schemaComponents, usedComponents } from './schemas.ts';

const description = [
  'Contacts, appointments, proposals, invoices and payments of a company that works at its customers. To try a call, ' +
    'enter a key: a local stack writes one to `.local/local.json`, and the operator of a deployment makes one with ' +
    '`npx fs key create`. The examples fit the demo company. From a lead to the payment: contacts/addupdate, ' +
    'appointments/slotsearch, appointments/book, proposal/create, proposal/accept, invoice/import, payment/import; ' +
    'datasubscriber/fetch returns what happened.',
  'Every operation is a POST of one JSON object and answers with one JSON object. `ResultCode` is 0 on success; ' +
    'otherwise it equals the HTTP status, `Code` is what a program decides by, `Message` says what to do, and ' +
    '`Errors` lists every invalid field.',
  'Send the API key in the field `ApiKey` of the body or in the header `X-Api-Key`. A body has at most 256 ' +
    'KB, unless the operation says otherwise, and one value for every 10 bytes of that.',
  'A response always contains every field of its list: empty ones are `""`, `0`, `false`, `[]` or ' +
    '`null`. In a request, absent and `null` mean "not given", and so does `0` in an id; in an update, absent ' +
    'means "unchanged" and `null` clears the field. An unknown field is an error that names the nearest known ' +
    'one.',
  'What an operation answers can be sent back: a request accepts every field of the same name and type, and ' +
    'ignores those that only answers set. The full document (`npm run openapi -- --full`) lists them too. ' +
    'The examples of answers are real ones; long lists in them are shortened.',
  'API Gateway itself answers calls that reach no function: 413 above 10 MB, 429 over the rate of the whole ' +
    'deployment, 500 and 503 where no function answers. That body is `{"message": "…"}` without `ResultCode`: ' +
    'decide by the HTTP status there, and repeat 429, 500 and 503 with the same Idempotency-Key.',
].join('\n\n');

const LOCAL_STACK = 'http://127.0.0.1:4000';

interface DocumentParts {
  readonly groups: readonly Group[];
  readonly resources: readonly Resource[];
  readonly variants?: readonly Variants[];
  /** The bodies that webhooks receive. */
  readonly calls?: Calls;
  /** Answers of a test run to the examples of the operations, by operation name. */
  readonly answers?: Readonly<Record<string, object>>;
  /** Path Items of paths that are not operations. */
  readonly otherPaths?: Readonly<Record<string, object>>;
  readonly version: string;
  /** Also include what requests accept and ignore: fields of answers that are sent back, and forms. */
  readonly isFull?: boolean;
  /** Describe every type exactly, even if client generators cannot use it. */
  readonly isExact?: boolean;
  /** The address of the API: the local stack, or a deployment. */
  readonly baseUrl?: string;
}

/**
 * The OpenAPI 3.1 document, made from the definitions of operations and resources. Code that serves calls must not
 * import this file, or every bundle would contain it.
 */
export function openApiDocument({
  groups,
  resources,
  variants = [],
  calls,
  answers = {},
  otherPaths = {},
  version,
  isFull = false,
  isExact = isFull,
  baseUrl = LOCAL_STACK,
}: DocumentParts): object {
  const operations = groups.flatMap((group) => group.operations);
  const documented = operations.map(
    (operation) => [operation.name, operationPath(operation, answers[operation.name], isFull)] as const,
  );
  const described = {
    ...otherPaths,
    ...Object.fromEntries(documented.map(([name, { path }]) => [`/api/${name}`, path])),
  };
  const ofResources = schemaComponents(resources, variants, isFull);
  const components: Record<string, JsonSchema> = Object.assign(
    ofResources,
    calls ? callComponents(calls, ofResources) : {},
    ...documented.map((each) => each[1].components),
  );
  const used = usedComponents({ paths: described, webhooks: calls ? webhookItems(calls, !isExact) : {} }, components);
  const {
    paths: { paths, webhooks },
    schemas,
  } = isExact ? used : forGenerators(used);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Field-service API',
      version,
      description,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl, description: baseUrl === LOCAL_STACK ? 'The local stack.' : 'This deployment.' }],
    security: [{ ApiKey: [] }, {}],
    tags: groups
      .filter(({ name }) => operations.some(({ group }) => group === name))
      .map(({ name, description: about }) => ({ name, 'x-displayName': groupTitle(name), description: about })),
    paths,
    webhooks,
    components: {
      schemas: { ...schemas, Failure: failure, FailureCode: codes(failureMeanings) },
      responses: sharedResponses(),
      headers,
      parameters,
      securitySchemes,
    },
  };
}

const integer = { type: 'integer', format: 'int32' };
const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

/** An enum with a sentence for each of its words. */
const codes = (meanings: Readonly<Record<string, string>>) => ({
  type: 'string',
  enum: Object.keys(meanings),
  description: Object.entries(meanings)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n'),
  'x-enum-descriptions': Object.values(meanings),
  'x-extension': true,
});

const failure = {
  type: 'object',
  description:
    'The body of every failure. An operation may add result fields that help, such as the candidates of an ' +
    'ambiguous match.',
  properties: {
    ResultCode: {
      ...integer,
      enum: [...new Set(Object.values(failureCodes))],
      description: 'The same number as the HTTP status.',
    },
    Code: { $ref: '#/components/schemas/FailureCode' },
    Message: { type: 'string', description: 'What is wrong and what to do, for people.' },
    Errors: {
      type: 'array',
      description: 'Every invalid field.',
      items: {
        type: 'object',
        properties: {
          Field: { type: 'string', description: 'Its path, such as Matches[0].Email.' },
          // As a component it would share names with FailureCode in languages whose enums have one scope.
          Code: codes(fieldErrorMeanings),
          Message: { type: 'string' },
        },
        required: ['Field', 'Code', 'Message'],
      },
    },
  },
  required: ['ResultCode', 'Code', 'Message'],
};

const headers = {
  'X-Request-Id': header('Identifies the call in the logs.'),
  'X-List': {
    ...header('Names the list that a page begins or continues; send it back for the other pages.'),
    'x-extension': true,
  },
  'X-Next-Skip': { ...header('The Skip of the next page; missing after the last one.', integer), 'x-extension': true },
  'RateLimit-Limit': header('Calls the key may make at once.', integer),
  'RateLimit-Remaining': header('Calls left, at least.', integer),
  'RateLimit-Reset': header('Seconds until the full limit is available again.', integer),
  'Retry-After': header('Seconds to wait before trying again.', integer),
  Allow: header('The method to use: POST.'),
};

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the call safe to repeat. Within 24 hours, the same key with the same body returns the first answer ' +
      'and does nothing else; the same key with another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  List: {
    name: 'X-List',
    in: 'header',
    required: false,
    description:
      'Continues exactly the list of a response, whoever else reads: the X-List of that response, for 10 minutes. ' +
      'Without it, a page continues the newest list that the same key, address and User-Agent read up to there.',
    schema: { type: 'string' },
    'x-extension': true,
  },
};

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'A key of the form fsk_live_ or fsk_test_ and 50 characters. Operations with a field ApiKey also accept the ' +
      'key there. Two different keys in one call are 401.',
  },
};
