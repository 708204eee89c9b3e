import * as z from 'zod';
import type { Resource } from '../../resources/resource.ts';

/** A JSON Schema as OpenAPI 3.1 holds it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;
type Direction = 'input' | 'output';

/** Fields that typed clients send back with an object; they mean nothing there. */
const carried = new Set(['ApiKey', 'ResultCode', 'Message']);

const mapped = (schemas: Record<string, unknown>, direction: Direction) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as JsonSchema, direction)]));

/** `anyOf [T, null]` said in one word, as OpenAPI 3.1 can: `type: [T, null]`. */
function withNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const [of, nothing] = anyOf ?? [];
  const simple = anyOf?.length === 2 && nothing?.type === 'null' && typeof of?.type === 'string' && !of.enum;
  return simple ? { ...rest, ...of, type: [of.type, 'null'] as never } : { ...rest, ...(anyOf ? { anyOf } : {}) };
}

/**
 * Brings a schema of zod into the form of the document: references point to components, every whole number is an int32
 * (so its bounds need not be said), responses are open to fields that come later, and `null` is a type among others.
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
    if (direction === 'input' && carried.has(name) && Object.keys(property).length === 0)
      Object.assign(property, ignored());
  }
  return withNull(next);
}

/** A field that is accepted in a request because typed clients send it, and ignored. */
export const ignored = (type?: unknown): JsonSchema => ({
  ...(type ? { type: type as never } : {}),
  ...(type === 'array' ? { items: {} } : {}),
  readOnly: true,
  description: 'A result. Accepted in a request and ignored.',
});

/** The schema of a request (`input`) or a response (`output`); the resources in it are references to components. */
export const toJsonSchema = (schema: z.ZodType, direction: Direction): JsonSchema =>
  tidy(z.toJSONSchema(schema, { io: direction }), direction);

/** Every resource by its title as responses hold it, and as `…Input` as requests may bring it. */
export function schemaComponents(resources: readonly Resource[]): Record<string, JsonSchema> {
  const all = (direction: Direction): Record<string, JsonSchema> => {
    const shape = Object.fromEntries(resources.map((resource) => [resource.title, resource[direction]()]));
    return mapped(z.toJSONSchema(z.object(shape), { io: direction }).$defs ?? {}, direction);
  };
  const found = { ...all('output'), ...all('input') };
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
