import type { JsonSchema } from './schemas.ts';

const typesOf = ({ type }: JsonSchema): readonly string[] => [type ?? []].flat();
const isList = (schema: JsonSchema): boolean => typesOf(schema).includes('array');

/** Reduces a word that may also be its number to the word, and a value of several types to one of any type. */
function ofOneType(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length < 2) return schema;
  const { type, items: _, ...rest } = schema;
  const isWord = types.every((each) => each === 'string' || each === 'integer');
  return isWord
    ? { ...rest, type: typesOf({ type } as JsonSchema).filter((each) => each !== 'integer') as never }
    : rest;
}

/** Lists a word that may be in any case as an enum: its spelling as listed is always accepted. */
function ofListedWords(schema: JsonSchema): JsonSchema {
  const { 'x-any-case': isWord, examples, type, ...rest } = schema;
  if (!isWord) return schema;
  const word = { ...rest, type: 'string' as const, enum: examples as string[] };
  return typesOf(schema).includes('null') ? ({ anyOf: [word, { type: 'null' }] } as JsonSchema) : word;
}

/**
 * Reduces several forms to one: a text that may also be a list becomes the text, a value of several types one of any
 * type.
 */
function ofOneForm(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const [first, ...others] = anyOf.filter((form) => !typesOf(form).includes('null') || typesOf(form).length > 1);
  // A schema without a type accepts any value, null too.
  if (anyOf.some((form) => !Object.keys(form).length)) return rest;
  if (!first || !others.length) return schema;
  return others.every(isList) ? { ...rest, ...first } : rest;
}

/** Turns a dictionary with values of several types into an object with any fields. */
function ofAnyValues(schema: JsonSchema): JsonSchema {
  const { additionalProperties, propertyNames: _, ...rest } = schema;
  const isAny = typeof additionalProperties === 'object' && !typesOf(additionalProperties).length;
  return isAny && !additionalProperties.$ref ? rest : schema;
}

const isNullableComponent = ({ anyOf = [] }: JsonSchema): boolean =>
  anyOf.some((form) => form.$ref ?? form.enum) && anyOf.some(({ type }) => type === 'null');

/** Makes nullable objects and enums optional: Java's okhttp-gson refuses null for required ones. */
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

/** Examples are not schemas. */
const simplifyPart = (name: string, value: unknown): unknown =>
  name === 'example' || name === 'examples' ? value : simplify(value);

/**
 * The document as client generators can use it: a value has one type. A word is one of an enum and not its number, a
 * text that may also be a list of characters is a text, and a custom field's value is of any type.
 */
export const forGenerators = <Document extends object>(document: Document): Document => simplify(document) as Document;
