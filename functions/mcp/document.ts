import { loadAsset } from '../../lib/api/http/assets.ts';
import { InternalError } from '../../lib/shared/failure.ts';
import { searcher } from '../../lib/shared/text/search.ts';
import { isReached } from './operations.ts';

/** The parts of a schema that are shown to an assistant. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Post {
  readonly summary: string;
  readonly description: string;
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } };
  };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: Post }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Runs `make` at the first call and keeps its result for the container, unless it fails. */
function onceDone<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** The document of the documentation page, a file next to the bundle. */
const openDocument = onceDone(async (): Promise<OpenApi> => {
  const { text } = (await loadAsset('openapi.json')) ?? {};
  if (text === undefined) throw new InternalError('The OpenAPI document is not beside the function.');
  return JSON.parse(text) as OpenApi;
});

async function listOperations(): Promise<{ readonly name: string; readonly post: Post }[]> {
  const { paths } = await openDocument();
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const name = path.slice('/api/'.length);
    const isTool = path.startsWith('/api/') && isReached(name);
    return post && isTool && !post.description.includes('It changes who may do what.') ? [{ name, post }] : [];
  });
}

const FOUND = 8;

const openSearch = onceDone(async () =>
  searcher(
    (await listOperations()).map(({ name, post: { summary, description } }) => ({
      title: summary,
      place: name,
      text: description,
    })),
    FOUND,
  ),
);

/** The operations that match most of the words, those with matches in names and summaries first. */
export async function searchOperations(text: string): Promise<{ operation: string; summary: string }[]> {
  const find = await openSearch();
  return find(text).map(({ place, title }) => ({ operation: place, summary: title }));
}

const MAX_SENTENCE = 160;
/** How many levels of nested records are described. */
const DEPTH = 2;

/** `integer: The id of …` for a field, an object of these for a record. */
function describeField(schema: Schema, schemas: OpenApi['components']['schemas'], depth: number): unknown {
  const { $ref, anyOf, oneOf, items, properties, enum: values, type, description } = schema;
  const referenced = $ref ? schemas[$ref.split('/').at(-1) ?? ''] : undefined;
  if (referenced) return describeField({ ...referenced, ...(description ? { description } : {}) }, schemas, depth);
  const variant = (anyOf ?? oneOf ?? []).find((each) => each.type !== 'null');
  if (variant) return describeField({ ...variant, ...(description ? { description } : {}) }, schemas, depth);
  if (items) return [describeField(items, schemas, depth)];
  if (properties) return depth > 0 ? describeFields(schema, schemas, depth - 1) : 'object';
  const types = [type ?? 'any'].flat().filter((each) => each !== 'null');
  const words = values?.length ? ` (${values.join(', ')})` : '';
  return `${types.join(' or ')}${words}${description ? `: ${description.slice(0, MAX_SENTENCE)}` : ''}`;
}

const describeFields = (
  { properties = {}, required = [] }: Schema,
  schemas: OpenApi['components']['schemas'],
  depth: number,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name !== 'ApiKey')
      .map(([name, field]) => [
        required.includes(name) ? `${name} (required)` : name,
        describeField(field, schemas, depth),
      ]),
  );

/** What an operation does, and the fields of its request; `undefined` for one that assistants cannot call. */
export async function describeOperation(name: string): Promise<object | undefined> {
  const post = (await listOperations()).find((each) => each.name === name)?.post;
  if (!post) return undefined;
  const { components } = await openDocument();
  const { schema, example } = post.requestBody.content['application/json'];
  const whole = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return {
    summary: post.summary,
    rules: post.description,
    request: describeFields(whole ?? {}, components.schemas, DEPTH),
    example,
  };
}
