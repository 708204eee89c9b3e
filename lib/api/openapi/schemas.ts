import * as z from 'zod';
import type { Resource } from '../../resources/resource.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
type Direction = 'input' | 'output';

/** Result fields that typed clients send back with a resource. */
const resultFields = new Set(['ApiKey', 'ResultCode', 'Message']);

const mapped = (schemas: Record<string, unknown>, direction: Direction) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as JsonSchema, direction)]));

/** `anyOf [T, null]` as `type: [T, null]`. */
function foldNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const [inner, last] = anyOf ?? [];
  const isSimple = anyOf?.length === 2 && last?.type === 'null' && typeof inner?.type === 'string' && !inner.enum;
  return isSimple
    ? { ...rest, ...inner, type: [inner.type, 'null'] as never }
    : { ...rest, ...(anyOf ? { anyOf } : {}) };
}

/**
 * Converts a schema of zod: references point to components, integers are int32 without its bounds, responses allow
 * additional fields, and `null` is one of the types.
 */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const { $schema: _, $defs: __, id: ___, $ref, ...rest } = schema;
  if ($ref) return { $ref: $ref.replace('#/$defs/', '#/components/schemas/') };
  const next: JsonSchema = { ...rest };
  if (next.properties) next.properties = mapped(next.properties as Record<string, unknown>, direction);
  if (next.anyOf) next.anyOf = next.anyOf.map((one) => tidy(one, direction));
  if (next.items) next.items = tidy(next.items as JsonSchema, direction);
  if (typeof next.additionalProperties === 'object')
    next.additionalProperties = tidy(next.additionalProperties, direction);
  else if (direction === 'output') delete next.additionalProperties;
  if (next.type === 'integer') {
    next.format = 'int32';
    if ((next.minimum ?? 0) <= -(2 ** 31)) delete next.minimum;
    if ((next.maximum ?? 0) >= 2 ** 31 - 1) delete next.maximum;
  }
  for (const [name, property] of Object.entries(next.properties ?? {})) {
    if (direction === 'input' && resultFields.has(name) && Object.keys(property).length === 0)
      Object.assign(property, ignored());
  }
  return foldNull(next);
}

export const ignored = (type?: unknown): JsonSchema => ({
  ...(type ? { type: type as never } : {}),
  ...(type === 'array' ? { items: {} } : {}),
  readOnly: true,
  description: 'A result field; ignored in a request.',
});

/** Resources in the schema become references to components. */
export const toJsonSchema = (schema: z.ZodType, direction: Direction): JsonSchema =>
  tidy(z.toJSONSchema(schema, { io: direction }), direction);

/** Every resource by its title as in responses, and as `…Input` as in requests. */
export function schemaComponents(resources: readonly Resource[]): Record<string, JsonSchema> {
  const all = (direction: Direction): Record<string, JsonSchema> => {
    const shape = Object.fromEntries(resources.map((resource) => [resource.title, resource[direction]()]));
    return mapped(z.toJSONSchema(z.object(shape), { io: direction }).$defs ?? {}, direction);
  };
  const found = { ...all('output'), ...all('input') };
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
