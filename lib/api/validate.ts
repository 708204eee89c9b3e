import * as z from 'zod';
import { MAX_ERRORS, invalidFields } from '../shared/failure.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { InternalError } from '../shared/internal-error.ts';
import { nestedFields, sampleOf, unwrap } from './describe-schema.ts';
import type { Operation } from './operation.ts';
import { suggestField } from './suggest-field.ts';

type Path = readonly PropertyKey[];

/** `Matches[0].Email`. */
const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body);

/** The schema at `path`, inside optional, nullable, lazy and preprocessed ones. */
const schemaAt = (schema: z.ZodType, path: Path): z.core.$ZodType | undefined =>
  path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    if (outer instanceof z.ZodArray) return unwrap(outer.element);
    return outer instanceof z.ZodObject
      ? unwrap((outer.shape as Record<PropertyKey, z.core.$ZodType>)[step])
      : undefined;
  }, unwrap(schema));

/** Unknown fields of one answer for which the nearest name is looked up: that compares each with 60 names. */
const MAX_HINTS = 10;

/** A field name of this object, else of one within it: `DateTime` → `Slots[0].DateTime`. */
function suggest(name: string, schema: z.core.$ZodType | undefined): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const within = nestedFields(schema).find(({ field }) => field.toLowerCase() === name.toLowerCase());
  return within?.path ?? suggestField(name, Object.keys(schema.shape));
}

function unknownFieldErrors(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.ZodType,
  limit: number,
  hints: number,
): FieldError[] {
  const object = schemaAt(schema, path);
  return keys.slice(0, limit).map((key, index) => {
    const near = index < hints ? suggest(key, object) : undefined;
    return {
      field: formatPath([...path, key.slice(0, 100)]),
      message: `is not a field${near ? `; did you mean ${near}?` : ''}`,
    };
  });
}

function toError(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown): FieldError {
  const value = valueAt(body, issue.path);
  const field = formatPath(issue.path);
  if (issue.code !== 'invalid_type') return { field, message: issue.message };
  if (value == null || value === '' || value === 0) return { field, message: 'is required' };
  return { field, message: `${issue.message}${describeType(issue.expected, value, schemaAt(schema, issue.path))}` };
}

/** What a value of another type should look like: `, such as {"Id": 1}`; nothing where the message says enough. */
function describeType(expected: string, value: unknown, schema: z.core.$ZodType | undefined): string {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (expected === 'array' ? !Array.isArray(value) : ['object', 'record'].includes(expected) && !isObject) {
    const isEncoded = typeof value === 'string' && /^\s*[[{]/.test(value);
    const sample = sampleOf(schema);
    const example = sample ? `, such as ${sample}` : '';
    return isEncoded ? ` and not text that contains JSON${example}` : example;
  }
  if (expected === 'string' && typeof value === 'number') return `; send "${value}" in quotes`;
  if (typeof value !== 'string') return '';
  const text = value.trim().slice(0, 40);
  const plain = text.replace(/^[$€£]\s*/, '').replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
  const isNumber = (expected === 'number' || expected === 'int') && /^-?\d{1,15}(?:\.\d{1,4})?$/.test(plain);
  if (isNumber) return `; send ${plain} without quotes`;
  const meta = schema instanceof z.ZodNumber ? schema.meta() : undefined;
  if (meta?.['x-enum-varnames']) return `: ${meta.description?.replace(/\.$/, '')}`;
  const isFlag = expected === 'boolean' && /^(?:true|false)$/i.test(text);
  return isFlag ? `; send ${text.toLowerCase()} without quotes` : '';
}

/** The request with blanks and defaults resolved. Throws 400 with every invalid field. */
export function validRequest({ requestSchema }: Operation, body: Record<string, unknown>): unknown {
  const schema = requestSchema();
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors: FieldError[] = [];
  let hints = MAX_HINTS;
  for (const issue of result.error.issues) {
    const left = MAX_ERRORS - errors.length;
    if (left <= 0) break;
    if (issue.code === 'unrecognized_keys') {
      errors.push(...unknownFieldErrors(issue, schema, left, hints));
      hints = Math.max(0, hints - issue.keys.length);
    } else errors.push(toError(issue, schema, body));
  }
  const count = result.error.issues.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
    0,
  );
  throw invalidFields(errors, count);
}

/** A path without names of custom properties, which callers choose: it is logged. */
const declared = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
  path.slice(0, path.indexOf('CustomProperties') + 1 || undefined);

/** The answer with its declared fields only. An answer that does not fit its schema is an internal error. */
export function validResponse({ name, responseSchema }: Operation, answer: object): Record<string, unknown> {
  const result = responseSchema().safeParse({ ResultCode: 0, Message: '', ...answer });
  if (result.success) return result.data as Record<string, unknown>;
  const places = result.error.issues.slice(0, 5).map(({ path, code }) => `${formatPath(declared(path))} ${code}`);
  throw new InternalError(`${name} answers with a value outside its response schema: ${places.join('; ')}`);
}
