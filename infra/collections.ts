import { apiDocument } from './openapi.ts';

/** What a collection takes of the OpenAPI document. */
interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly post?: DocumentedCall }>>;
}

interface DocumentedCall {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly ({ readonly $ref: string } | QueryParameter)[];
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: object } } };
}

interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: { readonly default: string };
}

/** One operation as a request of a collection. */
interface CollectedRequest {
  /** `contacts/locate`. */
  readonly operation: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly query: readonly QueryParameter[];
  /** Takes an Idempotency-Key. */
  readonly changes: boolean;
  /** The example of the document, indented. */
  readonly body: string;
}

interface Folder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectedRequest[];
}

/** The files of the Postman and the Bruno collection, by their paths in the folder of the collections. */
export function collectionFiles(): ReadonlyMap<string, string> {
  const document = JSON.parse(JSON.stringify(apiDocument())) as Document;
  const folders = toFolders(document);
  return new Map([
    ['postman.json', `${JSON.stringify(postmanCollection(document, folders), null, 2)}\n`],
    ...brunoFiles(document, folders),
  ]);
}

function toFolders({ tags, paths }: Document): Folder[] {
  const calls = Object.entries(paths).flatMap(([path, { post }]) => (post ? [{ path, ...post }] : []));
  return tags.map(({ name, description }) => ({
    name,
    description,
    requests: calls.filter((call) => call.tags[0] === name).map(toRequest),
  }));
}

function toRequest({ path, summary, description, parameters = [], requestBody }: DocumentedCall & { path: string }) {
  const operation = path.replace('/api/', '');
  return {
    operation,
    name: operation.split('/').at(-1) ?? operation,
    description: [summary, description].filter(Boolean).join('\n\n'),
    path,
    query: parameters.filter((parameter) => 'in' in parameter && parameter.in === 'query') as QueryParameter[],
    changes: parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey')),
    body: JSON.stringify(requestBody.content['application/json'].example, null, 2),
  };
}

/** Off until someone wants it: a call that is sent again on purpose is another call. */
const IDEMPOTENCY_KEY = { key: 'Idempotency-Key', value: '{{$guid}}' };

/** Nothing is changed until somebody wants it: the examples name records that may exist. */
const CHANGES = { key: 'allowChanges', value: 'no' };

/** What a request that changes something runs first, as a step of Postman or Bruno. */
const postmanGuard = {
  listen: 'prerequest',
  script: {
    type: 'text/javascript',
    exec: [`if (pm.variables.get('${CHANGES.key}') !== 'yes') pm.execution.skipRequest();`],
  },
};
const brunoGuard = `if (bru.getEnvVar('${CHANGES.key}') !== 'yes') bru.runner.skipRequest();`;

const postmanCollection = ({ info, servers }: Document, folders: readonly Folder[]) => ({
  info: {
    name: info.title,
    description: info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'X-Api-Key', type: 'string' },
      { key: 'value', value: '{{apiKey}}', type: 'string' },
      { key: 'in', value: 'header', type: 'string' },
    ],
  },
  variable: [
    { key: 'baseUrl', value: servers[0]?.url, type: 'string' },
    { key: 'apiKey', value: '', type: 'string' },
    { ...CHANGES, type: 'string' },
  ],
  item: folders.map(({ name, description, requests }) => ({ name, description, item: requests.map(toPostmanRequest) })),
});

function toPostmanRequest({ name, description, path, query, changes, body }: CollectedRequest): object {
  return {
    name,
    request: {
      method: 'POST',
      header: changes ? [{ ...IDEMPOTENCY_KEY, disabled: true }] : [],
      body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ['{{baseUrl}}'],
        path: path.split('/').filter(Boolean),
        ...(query.length ? { query: query.map(toPostmanParameter) } : {}),
      },
      description,
    },
    response: [],
    ...(changes ? { event: [postmanGuard] } : {}),
  };
}

const toPostmanParameter = ({ name, description, schema }: QueryParameter): object => ({
  key: name,
  value: schema.default,
  description,
  disabled: true,
});

function brunoFiles({ info, servers }: Document, folders: readonly Folder[]): [string, string][] {
  return [
    ['bruno/bruno.json', `${JSON.stringify({ version: '1', name: info.title, type: 'collection' }, null, 2)}\n`],
    [
      'bruno/collection.bru',
      blocks(
        ['auth', 'mode: apikey'],
        ['auth:apikey', 'key: X-Api-Key', 'value: {{apiKey}}', 'placement: header'],
        ['docs', info.description],
      ),
    ],
    [
      'bruno/environments/local.bru',
      `${blocks(['vars', `baseUrl: ${servers[0]?.url}`, `${CHANGES.key}: ${CHANGES.value}`])}vars:secret [\n  apiKey\n]\n`,
    ],
    ...folders.flatMap(({ name, description, requests }, index): [string, string][] => [
      [`bruno/${name}/folder.bru`, blocks(['meta', `name: ${name}`, `seq: ${index + 1}`], ['docs', description])],
      ...requests.map((request, order): [string, string] => [
        `bruno/${request.operation}.bru`,
        toBrunoRequest(request, order + 1),
      ]),
    ]),
  ];
}

function toBrunoRequest({ name, description, path, query, changes, body }: CollectedRequest, sequence: number): string {
  const parameters = query.map((parameter) => `~${parameter.name}: ${parameter.schema.default}`);
  return blocks(
    ['meta', `name: ${name}`, 'type: http', `seq: ${sequence}`],
    ['post', `url: {{baseUrl}}${path}`, 'body: json', 'auth: inherit'],
    ...(parameters.length ? [['params:query', ...parameters] as const] : []),
    ...(changes ? [['headers', `~${IDEMPOTENCY_KEY.key}: ${IDEMPOTENCY_KEY.value}`] as const] : []),
    ['body:json', body],
    ...(changes ? [['script:pre-request', brunoGuard] as const] : []),
    ['docs', description],
  );
}

/** Blocks of Bruno's language; every line of a block is indented. */
const blocks = (...all: readonly (readonly [string, ...string[]])[]): string =>
  all.map(([name, ...lines]) => `${name} {\n${indented(lines.join('\n'))}\n}\n`).join('\n');

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
