import { apiDocument } from '../openapi.ts';
import { type Call, bodyText, callsOf, placeInRun, whyByChoice, withVariables } from './run.ts';

/** The parts of the OpenAPI document that a collection uses. */
export interface Document {
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

export interface CollectedRequest extends Pick<Call, 'keeps'> {
  /** For example `contacts/locate`. */
  readonly operation: string;
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly path: string;
  readonly query: readonly QueryParameter[];
  /** Whether it takes an Idempotency-Key. */
  readonly changes: boolean;
  /** A run skips it. */
  readonly isByChoice: boolean;
  /** JSON with variables, indented. */
  readonly body: string;
}

export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectedRequest[];
}

const RUN = `## Run this collection

\`allowChanges\` decides what is sent:

- \`no\`: what reads. The ids of records are variables, with those of the examples.
- \`yes\`: a run of the whole collection makes a contact, appointments, a proposal, an invoice, a task and a webhook,
  changes only these, and takes back what can be taken back. Two contacts named Run, their closed records and a download
  stay. Whatever changes another record is left out.
- The name of an operation, such as \`organizations/update\`: also this one, with its body as it is there.`;

export function readDocument(): Document {
  const document = JSON.parse(JSON.stringify(apiDocument())) as Document;
  const { info } = document;
  return { ...document, info: { ...info, description: `${RUN}\n\n${info.description}` } };
}

/** In the order of a run. */
export function toFolders({ tags, paths }: Document): Folder[] {
  const requests = Object.entries(paths)
    .flatMap(([path, { post }]) => (post ? [{ path, ...post }] : []))
    .toSorted((a, b) => placeInRun(operationOf(a.path)) - placeInRun(operationOf(b.path)))
    .flatMap(toRequests);
  const inFolder = (name: string) => requests.filter(({ folder }) => folder === name);
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      requests: inFolder(name).toSorted((a, b) => Number(isOfOtherGroup(a)) - Number(isOfOtherGroup(b))),
    }))
    .toSorted((a, b) => placeInRun(a.name) - placeInRun(b.name));
}

const operationOf = (path: string): string => path.replace('/api/', '');

const isOfOtherGroup = ({ operation, folder }: CollectedRequest): boolean => !operation.startsWith(`${folder}/`);

function toRequests(call: DocumentedCall & { readonly path: string }): CollectedRequest[] {
  const { path, tags, summary, description, parameters = [], requestBody } = call;
  const [group = ''] = tags;
  const operation = operationOf(path);
  const why = whyByChoice(operation);
  const choice = why && `A run leaves this out: ${why} With ${operation} as allowChanges it is sent.`;
  const { example } = requestBody.content['application/json'];
  return callsOf(operation).map(({ purpose, folder = group, body, keeps }) => ({
    operation,
    name: nameOf(operation, { purpose, isElsewhere: folder !== group }),
    folder,
    description: [choice, summary, description].filter(Boolean).join('\n\n'),
    path,
    query: parameters.filter((parameter) => 'in' in parameter && parameter.in === 'query') as QueryParameter[],
    changes: parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey')),
    isByChoice: why !== undefined,
    body: bodyText(body ?? withVariables(operation, example)),
    ...(keeps ? { keeps } : {}),
  }));
}

function nameOf(
  operation: string,
  { purpose, isElsewhere }: { readonly purpose: string | undefined; readonly isElsewhere: boolean },
): string {
  const name = isElsewhere ? operation.replace('/', ' ') : operation.slice(operation.indexOf('/') + 1);
  return purpose ? `${name} ${purpose}` : name;
}
