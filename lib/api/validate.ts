import * as z from 'zod';
import { MAX_ERRORS, invalidFields } from '../shared/failure.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { InternalError } from '../shared/internal-error.ts';
import { nearest } from '../shared/text.ts';
import type { Operation } from './operation.ts';

type Path = readonly PropertyKey[];

/** `Matches[0].Email`. */
const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body);

/** The schema inside optional, nullable, lazy and preprocessed ones. */
function unwrap(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema;
}

/** The field names of the object at `path`. */
function namesAt(schema: z.ZodType, path: Path): string[] {
  const inner = path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    if (outer instanceof z.ZodArray) return unwrap(outer.element);
    return outer instanceof z.ZodObject
      ? unwrap((outer.shape as Record<PropertyKey, z.core.$ZodType>)[step])
      : undefined;
  }, unwrap(schema));
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** Unknown fields of one object for which the nearest name is looked up: that compares it with 60 names. */
const MAX_HINTS = 10;

function toErrors(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown, limit: number): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(schema, issue.path);
    return issue.keys.slice(0, limit).map((key, index) => {
      const near = index < MAX_HINTS ? nearest(key, names) : undefined;
      return {
        field: formatPath([...issue.path, key.slice(0, 100)]),
        message: `is not a field${near ? `; did you mean ${near}?` : ''}`,
      };
    });
  }
  const value = valueAt(body, issue.path);
  const missing = issue.code === 'invalid_type' && (value == null || value === '' || value === 0);
  return [{ field: formatPath(issue.path), message: missing ? 'is required' : issue.message }];
}

/** The request with blanks and defaults resolved. Throws 400 with every invalid field. */
export function validRequest({ requestSchema }: Operation, body: Record<string, unknown>): unknown {
  const schema = requestSchema();
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors: FieldError[] = [];
  for (const issue of result.error.issues) {
    if (errors.length >= MAX_ERRORS) break;
    errors.push(...toErrors(issue, schema, body, MAX_ERRORS - errors.length));
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
