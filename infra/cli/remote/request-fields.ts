import type { Schema } from '../../client/described-operations.ts';
import { titleOf } from '../../client/described-operations.ts';
import { UsageError } from '../output.ts';

type Schemas = Readonly<Record<string, Schema>>;

const resolve = (schema: Schema, schemas: Schemas): Schema => {
  const { $ref, anyOf } = schema;
  if ($ref) return resolve(schemas[titleOf(schema)] ?? {}, schemas);
  const form = anyOf?.find(({ type }) => type !== 'null');
  return form ? resolve(form, schemas) : schema;
};

/** The document's types in plain words, with sample values. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number, such as 1',
  number: 'a number, such as 1.5',
  boolean: 'true or false',
};

/** A value by the type of its field: a phone number stays text. Anything that is not text is JSON. */
function valueOf(text: string, schema: Schema, field: string): unknown {
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return text;
  if (types.includes('array') && !text.startsWith('['))
    return text.split(',').map((each) => valueOf(each.trim(), schema.items ?? {}, field));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!types.length) return text;
    const type = types.find((each) => each !== 'null') ?? '';
    throw new UsageError(`${field} must be ${TYPES[type] ?? 'JSON'}.`);
  }
}

/**
 * The request for words like `NameSearch=ana`, `Slots[0].DateTime=2035-03-06T09:00` and `TagSearch=a,b`. An unknown
 * field is sent as it is, and the API suggests the right one.
 */
export function requestFields(words: readonly string[], request: Schema, schemas: Schemas): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const word of words) {
    const [, path, text = ''] = /^([A-Za-z][\w.[\]]*)=([^]*)$/.exec(word) ?? [];
    if (!path) throw new UsageError(`${JSON.stringify(word)} is no field. Write it like NameSearch=ana.`);
    const steps = path.split(/\.|\[(\d+)\]\.?/).filter(Boolean);
    let [place, schema]: [Record<string, unknown>, Schema] = [body, resolve(request, schemas)];
    for (const [index, step] of steps.entries()) {
      const inner = resolve(schema.properties?.[step] ?? schema.items ?? {}, schemas);
      if (index === steps.length - 1) place[step] = valueOf(text, inner, path);
      else place = (place[step] ??= /^\d+$/.test(steps[index + 1] ?? '') ? [] : {}) as Record<string, unknown>;
      schema = inner;
    }
  }
  return body;
}
