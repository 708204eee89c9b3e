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
  /** The field that limits a page, and the one with its records. */
  readonly paging: readonly [size: string, list: string] | undefined;
}

const isList = ({ type }: Schema): boolean => type === 'array';

function pagingOf(request: Schema, answer: Schema): DescribedOperation['paging'] {
  const { properties: sent = {} } = request;
  const size = 'Skip' in sent ? ['Take', 'Limit'].find((name) => name in sent) : undefined;
  const lists = Object.entries(answer.properties ?? {}).filter(([, schema]) => isList(schema));
  const [list] = lists[0] ?? [];
  return size && list && lists.length === 1 ? [size, list] : undefined;
}

export function describedOperations({ paths, components }: ApiDocument): DescribedOperation[] {
  return Object.entries(paths).map(([path, { post }]) => {
    const [group = '', name = ''] = path.slice('/api/'.length).split('/');
    const request = titleOf(post.requestBody.content['application/json'].schema);
    const answer = titleOf(post.responses[200].content['application/json'].schema);
    const isWrite = (post.parameters ?? []).some(({ $ref = '' }) => $ref.endsWith('/IdempotencyKey'));
    const paging = isWrite ? undefined : pagingOf(components.schemas[request] ?? {}, components.schemas[answer] ?? {});
    const { summary, description } = post;
    return { group, name, summary, description, request, answer, isWrite, paging };
  });
}

/** What the client has to know of each operation at run time. */
export function operationTable(document: ApiDocument): OperationTable {
  const table: Record<string, Record<string, 0 | 1 | readonly [string, string]>> = {};
  for (const { group, name, isWrite, paging } of describedOperations(document))
    (table[group] ??= {})[name] = paging ?? (isWrite ? 1 : 0);
  return table;
}
