import type { JsonSchema } from './schemas.ts';

const typesOf = ({ type }: JsonSchema): readonly string[] => [type ?? []].flat();
const isList = (schema: JsonSchema): boolean => typesOf(schema).includes('array');

/** A word that may also be its number as the word, a value of other types as one of any type. */
function ofOneType(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length < 2) return schema;
  const { type, items: _, ...rest } = schema;
  const isWord = types.every((each) => each === 'string' || each === 'integer');
  return isWord
    ? { ...rest, type: typesOf({ type } as JsonSchema).filter((each) => each !== 'integer') as never }
    : rest;
}

/** A word in any case as an enum: whoever sends one of its words as written is right. */
function ofListedWords(schema: JsonSchema): JsonSchema {
  const { 'x-any-case': isWord, examples, type, ...rest } = schema;
  if (!isWord) return schema;
  const word = { ...rest, type: 'string' as const, enum: examples as string[] };
  return typesOf(schema).includes('null') ? ({ anyOf: [word, { type: 'null' }] } as JsonSchema) : word;
}

/** One of several forms: a text that may also be a list as the text, values of several types as one of any type. */
function ofOneForm(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const [first, ...others] = anyOf.filter((form) => !typesOf(form).includes('null') || typesOf(form).length > 1);
  // A schema without a type takes any value, null too.
  if (anyOf.some((form) => !Object.keys(form).length)) return rest;
  if (!first || !others.length) return schema;
  return others.every(isList) ? { ...rest, ...first } : rest;
}

/** A dictionary with values of several types as an object of any fields. */
function ofAnyValues(schema: JsonSchema): JsonSchema {
  const { additionalProperties, propertyNames: _, ...rest } = schema;
  const isAny = typeof additionalProperties === 'object' && !typesOf(additionalProperties).length;
  return isAny && !additionalProperties.$ref ? rest : schema;
}

const isNullableComponent = ({ anyOf = [] }: JsonSchema): boolean =>
  anyOf.some((form) => form.$ref ?? form.enum) && anyOf.some(({ type }) => type === 'null');

/** Nullable objects and enums are not required: Java's okhttp-gson refuses null where one is. */
function withOptionalComponents(schema: JsonSchema): JsonSchema {
  const { required, properties = {} } = schema;
  if (!Array.isArray(required)) return schema;
  const fields = properties as Readonly<Record<string, JsonSchema>>;
  return { ...schema, required: required.filter((name) => !isNullableComponent(fields[name] ?? {})) };
}

function simplify(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(simplify);
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, simplifyPart(name, value)]));
  return withOptionalComponents(ofOneType(ofListedWords(ofOneForm(ofAnyValues(inner as JsonSchema)))));
}

/** Examples are no schemas. */
const simplifyPart = (name: string, value: unknown): unknown =>
  name === 'example' || name === 'examples' ? value : simplify(value);

/**
 * The document as generators of clients can use it: a value has one type. A word is one of an enum, and not its number.
 * A text that may also be a list of characters is a text, and a value of a custom field is of any type.
 */
export const forGenerators = <Document extends object>(document: Document): Document => simplify(document) as Document;
