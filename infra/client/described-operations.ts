import type { OperationTable } from '../../lib/client/field-service.ts';

/** A schema as the document has it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly (string | number)[];
  readonly examples?: readonly string[];
}

interface Media {
  readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: object } };
}

interface Post {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody: Media;
  readonly responses: { readonly 200: Media };
}

export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly post: Post }>>;
  /** By event kind. */
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const titleOf = ({ $ref = '' }: Schema): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** An operation as the document describes it. */
export interface DescribedOperation {
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Titles of components. */
  readonly request: string;
  readonly answer: string;
  readonly isWrite: boolean;
  /** The field with the records of a page, if there are pages. */
  readonly list: string | undefined;
}

const isList = ({ type }: Schema): boolean => type === 'array';

function listOf({ properties: sent = {} }: Schema, answer: Schema): string | undefined {
  if (!('Skip' in sent)) return undefined;
  const lists = Object.entries(answer.properties ?? {}).filter(([, schema]) => isList(schema));
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

export function describedOperations({ paths, components }: ApiDocument): DescribedOperation[] {
  return Object.entries(paths).map(([path, { post }]) => {
    const [group = '', name = ''] = path.slice('/api/'.length).split('/');
    const request = titleOf(post.requestBody.content['application/json'].schema);
    const answer = titleOf(post.responses[200].content['application/json'].schema);
    const isWrite = (post.parameters ?? []).some(({ $ref = '' }) => $ref.endsWith('/IdempotencyKey'));
    const list = isWrite ? undefined : listOf(components.schemas[request] ?? {}, components.schemas[answer] ?? {});
    const { summary, description } = post;
    return { group, name, summary, description, request, answer, isWrite, list };
  });
}

/** What the client must know of each operation at run time. */
export function operationTable(document: ApiDocument): OperationTable {
  const table: Record<string, Record<string, 0 | 1 | string>> = {};
  for (const { group, name, isWrite, list } of describedOperations(document))
    (table[group] ??= {})[name] = list ?? (isWrite ? 1 : 0);
  return table;
}
