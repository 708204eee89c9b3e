import * as z from 'zod';

type Schema = z.core.$ZodType | undefined;

/** The schema inside optional, nullable, lazy and preprocessed ones. */
export function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema;
}

const fieldsOf = (schema: z.ZodObject): (readonly [string, Schema])[] =>
  Object.entries(schema.shape as Record<string, z.core.$ZodType>);

/** Fields of many objects, of which a request that lacks one may mean any. */
const COMMON = new Set(['Id', 'Name', 'Description', 'Notes', 'Value', 'ApiKey', 'ResultCode', 'Message']);

/**
 * The fields of the objects within an object and within its lists: `{ field: 'DateTime', path: 'Slots[0].DateTime' }`.
 */
export const nestedFields = (schema: z.ZodObject): { readonly field: string; readonly path: string }[] =>
  fieldsOf(schema).flatMap(([name, of]) => {
    const own = unwrap(of);
    const [inner, path] = own instanceof z.ZodArray ? [unwrap(own.element), `${name}[0]`] : [own, name];
    return inner instanceof z.ZodObject
      ? Object.keys(inner.shape as object)
          .filter((field) => !COMMON.has(field))
          .map((field) => ({ field, path: `${path}.${field}` }))
      : [];
  });

/** Fields that name a record best come first, then the order of the resource. */
const FIRST = ['Id', 'Name', 'ContactId', 'DateTime', 'ServiceAgentId', 'PartId', 'Quantity'];
const SAMPLE_FIELDS = 3;

/** A value of a simple type as JSON. */
function simpleSample(schema: Schema): string | undefined {
  if (schema instanceof z.ZodNumber) return '1';
  if (schema instanceof z.ZodString) return '"text"';
  if (schema instanceof z.ZodBoolean) return 'true';
  return schema instanceof z.ZodEnum ? JSON.stringify(schema.options[0]) : undefined;
}

/** A value of an object or a list as JSON, shortened: `{"Id": 1, "Name": "text", …}`. */
export function sampleOf(schema: Schema): string | undefined {
  if (schema instanceof z.ZodArray) {
    const element = unwrap(schema.element);
    const sample = sampleOf(element) ?? simpleSample(element);
    return sample && `[${sample}]`;
  }
  if (schema instanceof z.ZodRecord) return '{"name": "value"}';
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = fieldsOf(schema).flatMap(([name, of]) => {
    const sample = simpleSample(unwrap(of));
    return sample ? [{ name, text: `"${name}": ${sample}` }] : [];
  });
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const listed = fields.toSorted((one, other) => rank(one.name) - rank(other.name)).slice(0, SAMPLE_FIELDS);
  return listed.length
    ? `{${listed.map(({ text }) => text).join(', ')}${fields.length > listed.length ? ', …' : ''}}`
    : '{}';
}
