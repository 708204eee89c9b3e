import type { CollectedRequest, Document, Folder } from './requests.ts';
import { VARIABLES } from './run.ts';
import { CHANGES, type Dialect, scriptAfter, scriptBefore } from './scripts.ts';

const dialect: Dialect = {
  get: 'bru.getEnvVar',
  set: 'bru.setEnvVar',
  skip: 'bru.runner.skipRequest()',
  status: 'res.status',
  answer: 'res.body',
};

export function brunoFiles({ info, servers }: Document, folders: readonly Folder[]): [string, string][] {
  const all = folders.flatMap(({ requests }) => requests);
  const variables = Object.entries({ [CHANGES.key]: CHANGES.value, ...VARIABLES });
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
      `${blocks([
        'vars',
        `baseUrl: ${servers[0]?.url}`,
        ...variables.map(([key, value]) => `${key}: ${value}`),
      ])}vars:secret [\n  apiKey\n]\n`,
    ],
    ...folders.flatMap(({ name, description, requests }, index): [string, string][] => [
      [`bruno/${name}/folder.bru`, blocks(['meta', `name: ${name}`, `seq: ${index + 1}`], ['docs', description])],
      ...requests.map((request, order): [string, string] => [
        `bruno/${name}/${request.name.replaceAll(' ', '-')}.bru`,
        toRequest(request, order + 1, [
          ...toScript('pre-request', scriptBefore(request, request === all[0], dialect)),
          ...toScript('post-response', scriptAfter(request, request === all.at(-1), dialect)),
        ]),
      ]),
    ]),
  ];
}

type Block = readonly [name: string, ...lines: string[]];

const toScript = (when: string, lines: readonly string[]): Block[] =>
  lines.length ? [[`script:${when}`, ...lines]] : [];

function toRequest(
  { name, description, path, query, changes, body }: CollectedRequest,
  sequence: number,
  scripts: readonly Block[],
): string {
  const parameters = query.map((parameter) => `~${parameter.name}: ${parameter.schema.default}`);
  return blocks(
    ['meta', `name: ${name}`, 'type: http', `seq: ${sequence}`],
    ['post', `url: {{baseUrl}}${path}`, 'body: json', 'auth: inherit'],
    ...(parameters.length ? [['params:query', ...parameters] as const] : []),
    ...(changes ? [['headers', IDEMPOTENCY_KEY] as const] : []),
    ['body:json', body],
    ...scripts,
    ['docs', description],
  );
}

/** Off by default: a request that is deliberately sent again is a new call. */
const IDEMPOTENCY_KEY = '~Idempotency-Key: {{$guid}}';

/** Blocks in Bruno's language; every line of a block is indented. */
const blocks = (...all: readonly Block[]): string =>
  all.map(([name, ...lines]) => `${name} {\n${indented(lines.join('\n'))}\n}\n`).join('\n');

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
