import type { CollectedRequest, Document, Folder } from './requests.ts';
import { VARIABLES } from './run.ts';
import { CHANGES, type Dialect, scriptAfter, scriptBefore } from './scripts.ts';

const dialect: Dialect = {
  get: 'pm.variables.get',
  set: 'pm.collectionVariables.set',
  skip: 'pm.execution.skipRequest()',
  status: 'pm.response.code',
  answer: 'pm.response.json()',
};

export const postmanCollection = ({ info, servers }: Document, folders: readonly Folder[]) => {
  const all = folders.flatMap(({ requests }) => requests);
  return {
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
      ...Object.entries(VARIABLES).map(([key, value]) => ({ key, value: String(value), type: 'string' })),
    ],
    item: folders.map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map((request) =>
        toRequest(request, [
          ...toEvent('prerequest', scriptBefore(request, request === all[0], dialect)),
          ...toEvent('test', scriptAfter(request, request === all.at(-1), dialect)),
        ]),
      ),
    })),
  };
};

const toEvent = (listen: string, exec: readonly string[]): object[] =>
  exec.length ? [{ listen, script: { type: 'text/javascript', exec } }] : [];

function toRequest({ name, description, path, query, changes, body }: CollectedRequest, event: readonly object[]) {
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
        ...(query.length ? { query: query.map(toParameter) } : {}),
      },
      description,
    },
    response: [],
    ...(event.length ? { event } : {}),
  };
}

/** Off by default: a request that is deliberately sent again is a new call. */
const IDEMPOTENCY_KEY = { key: 'Idempotency-Key', value: '{{$guid}}' };

const toParameter = ({ name, description, schema }: CollectedRequest['query'][number]): object => ({
  key: name,
  value: schema.default,
  description,
  disabled: true,
});
