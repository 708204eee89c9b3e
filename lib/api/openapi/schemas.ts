import * as z from 'zod';
import type { Resource } from '../../resources/fields.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
type Direction = 'input' | 'output';

/** A resource whose variant depends on the value of one field. */
export interface Variants {
  readonly title: string;
  /** The field whose value decides, and the field whose type it decides. */
  readonly discriminator: string;
  readonly field: string;
  /** By the title of the variant's component: the values, and the resource that `field` then holds. */
  readonly variants: Readonly<Record<string, { readonly values: readonly string[]; readonly resource: string }>>;
}

const COMPONENTS = '#/components/schemas/';
export const reference = (title: string): JsonSchema => ({ $ref: COMPONENTS + title });
const INPUT = 'Input';

/** Result fields that typed clients send back with a resource. */
const resultFields = new Set(['ApiKey', 'ResultCode', 'Message']);

const mapped = (schemas: Record<string, unknown>, direction: Direction) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as JsonSchema, direction)]));

/** `anyOf [T, null]` as `type: [T, null]`. */
function foldNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const [inner, last] = anyOf ?? [];
  const isSimple = anyOf?.length === 2 && last?.type === 'null' && inner?.type !== undefined && !inner.enum;
  return isSimple
    ? { ...rest, ...inner, type: [inner.type, 'null'].flat() as never }
    : { ...rest, ...(anyOf ? { anyOf } : {}) };
}

/**
 * A word that a request may send in any case or as its index. An enum would refuse accepted values, so only the
 * document for generators has one.
 */
function openWord({ enum: words = [], anyCase: _, allowsIndex, ...rest }: JsonSchema): JsonSchema {
  const forms = allowsIndex ? 'in any case, or its index from 0.' : 'in any case.';
  return {
    ...rest,
    type: (allowsIndex ? ['string', 'integer'] : 'string') as never,
    description: [rest.description, `${words.join(', ')}, ${forms}`].filter(Boolean).join(' '),
    examples: words,
    'x-any-case': true,
  };
}

/** Optional numbers may be 0, which means "not given". */
function allowZero(property: JsonSchema, isRequired: boolean): void {
  if (!('allowsZero' in property)) return;
  delete property['allowsZero'];
  if (!isRequired) property.minimum = 0;
}

/**
 * Converts a zod schema: references point to components, integers are int32 without bounds, responses allow additional
 * fields, and `null` is one of the types.
 */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const { $schema: _, $defs: __, id: ___, $ref, ...rest } = schema;
  if ($ref) return { ...rest, $ref: $ref.replace('#/$defs/', COMPONENTS) };
  let next: JsonSchema = { ...rest };
  if (next['anyCase']) next = openWord(next);
  if (next.properties) next.properties = mapped(next.properties as Record<string, unknown>, direction);
  if (next.anyOf) next.anyOf = next.anyOf.map((one) => tidy(one, direction));
  if (next.items) {
    const { allowsZero: ____, ...items } = tidy(next.items as JsonSchema, direction);
    next.items = items;
  }
  if (typeof next.additionalProperties === 'object')
    next.additionalProperties = tidy(next.additionalProperties, direction);
  else if (direction === 'output') delete next.additionalProperties;
  if (next.type === 'number') next.format ??= 'double';
  if (next.type === 'integer') {
    next.format = 'int32';
    if (next.enum || (next.minimum ?? 0) <= -(2 ** 31)) delete next.minimum;
    if (next.enum || (next.maximum ?? 0) >= 2 ** 31 - 1) delete next.maximum;
  }
  for (const [name, property] of Object.entries((next.properties ?? {}) as Record<string, JsonSchema>)) {
    allowZero(property, next.required?.includes(name) ?? false);
    if (direction === 'input' && resultFields.has(name) && Object.keys(property).length === 0)
      Object.assign(property, ignoredResult());
  }
  return foldNull(next);
}

/** A result field in a request. It is ignored and not checked: only a list keeps the type of the answer. */
export const ignoredResult = (answer: JsonSchema = {}): JsonSchema => ({
  ...(answer.type === 'array' ? { type: ['array', 'null'] as never, items: {} } : {}),
  description: 'A result field; ignored in a request.',
});

/** Adds a sentence before the field's description. */
export function prefixed(property: JsonSchema, sentence: string): JsonSchema {
  const { description = '' } = property;
  return { ...property, description: [sentence, description].filter(Boolean).join(' ') };
}

/** Converts a schema and turns its resources into references to components. */
export const toJsonSchema = (schema: z.ZodType, direction: Direction): JsonSchema => {
  const { allowsZero: _, ...tidied } = tidy(z.toJSONSchema(schema, { io: direction }), direction);
  return tidied;
};

/** The component of a resource with variants, and one component for each. */
function variantComponents(of: Variants, component: JsonSchema): Record<string, JsonSchema> {
  const { discriminator, field, variants, title } = of;
  const { description, ...object } = component;
  const toVariant = ({ values, resource }: Variants['variants'][string]): JsonSchema => {
    const properties = { ...(object.properties as Record<string, JsonSchema>) };
    const { description: ofField } = properties[field] ?? {};
    properties[discriminator] = { ...properties[discriminator], enum: [...values] };
    properties[field] = { description: ofField, anyOf: [reference(resource), { type: 'null' }] } as JsonSchema;
    return { ...object, properties };
  };
  const mapping = Object.entries(variants).flatMap(([name, { values }]) =>
    values.map((value) => [value, COMPONENTS + name] as const),
  );
  const union = {
    ...(description ? { description } : {}),
    oneOf: Object.keys(variants).map(reference),
    discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) },
  } as JsonSchema;
  return {
    [title]: union,
    ...Object.fromEntries(Object.entries(variants).map(([name, variant]) => [name, toVariant(variant)])),
  };
}

/**
 * Every resource under its title as in responses, and as `…Input` as in requests. Only the full document includes the
 * fields that requests ignore.
 */
export function schemaComponents(
  resources: readonly Resource[],
  variants: readonly Variants[] = [],
  isFull = true,
): Record<string, JsonSchema> {
  const all = (direction: Direction): Record<string, JsonSchema> => {
    const shape = Object.fromEntries(resources.map((resource) => [resource.title, resource[direction]()]));
    return mapped(z.toJSONSchema(z.object(shape), { io: direction }).$defs ?? {}, direction);
  };
  const components = { ...all('output'), ...all('input') };
  for (const { title, computed } of resources) {
    const properties = (components[title + INPUT]?.properties ?? {}) as Record<string, JsonSchema>;
    for (const name of computed) {
      if (isFull) properties[name] = prefixed(properties[name] ?? {}, 'Computed; ignored in a request.');
      else delete properties[name];
    }
    if (!isFull) for (const name of resultFields) delete properties[name];
  }
  for (const each of variants) Object.assign(components, variantComponents(each, components[each.title] ?? {}));
  return components;
}

/** Every `$ref` in a part of the document. */
function references(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner.replace(COMPONENTS, '')] : references(inner),
  );
}

/** Renames references, and the values in a discriminator's mapping. */
function withNames(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof part === 'string' && part.startsWith(COMPONENTS)) {
    const title = part.slice(COMPONENTS.length);
    return COMPONENTS + (names.get(title) ?? title);
  }
  if (Array.isArray(part)) return part.map((each) => withNames(each, names));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withNames(inner, names)]));
}

/**
 * The paths with the components that they use, by name. A resource that is only sent keeps its own title, without
 * `Input`.
 */
export function usedComponents<Paths extends object>(
  paths: Paths,
  components: Readonly<Record<string, JsonSchema>>,
): { readonly paths: Paths; readonly schemas: Record<string, JsonSchema> } {
  const used = new Set<string>();
  const visit = (titles: readonly string[]): void => {
    for (const title of titles) {
      const component = components[title];
      if (!component || used.has(title)) continue;
      used.add(title);
      visit(references(component));
    }
  };
  visit(references(paths));
  const names = new Map<string, string>();
  for (const title of used) {
    const short = title.endsWith(INPUT) ? title.slice(0, -INPUT.length) : title;
    names.set(title, used.has(short) ? title : short);
  }
  const schemas = [...used]
    .map((title) => [names.get(title) ?? title, withNames(components[title], names) as JsonSchema] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: withNames(paths, names) as Paths, schemas: Object.fromEntries(schemas) };
}
