import type { FieldError } from '../shared/field-errors.ts';
import * as z from 'zod';
import { inputs, once, outputs } from '../resources/resource.ts';
import { invalid } from '../shared/failure.ts';
import { nearest } from '../shared/text.ts';
import type { Operation } from './operation.ts';

interface Schemas {
  readonly request: z.ZodType;
  readonly response: z.ZodType;
}

const schemas = new WeakMap<Operation, () => Schemas>();

/** A field that a typed client sends because it stands in the operation's list, and that means nothing in a request. */
const ignored = () => z.unknown().optional();

/** The schema of an operation's request: its fields, and its result fields, which are ignored; nothing else. */
export function requestSchema(operation: Operation): z.ZodType {
  const results = Object.keys(operation.response()).map((name) => [name, ignored()] as const);
  const common =
    operation.credential === 'header'
      ? {}
      : { ApiKey: z.string('must be a string').nullish(), ResultCode: ignored(), Message: ignored() };
  return z.strictObject(
    { ...Object.fromEntries(results), ...common, ...inputs(operation.request()) },
    'must be an object',
  );
}

/** The schema of an operation's response: all its result fields, ResultCode and Message. */
export function responseSchema(operation: Operation): z.ZodType {
  return z.object({ ...outputs(operation.response()), ResultCode: z.int(), Message: z.string() });
}

function schemasOf(operation: Operation): Schemas {
  const known = schemas.get(operation);
  if (known) return known();
  const made = once(() => ({ request: requestSchema(operation), response: responseSchema(operation) }));
  schemas.set(operation, made);
  return made();
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body);

/** The schema inside optional, nullable, lazy and preprocessed ones. */
function bare(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.out) : schema;
}

/** The names allowed where an unknown one stood. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    if (outer instanceof z.ZodArray) return bare(outer.element);
    return outer instanceof z.ZodObject ? bare((outer.shape as Record<PropertyKey, z.core.$ZodType>)[step]) : undefined;
  }, bare(schema));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/**
 * The errors of an issue, at most `most`: looking for the nearest name costs time, and a body may bring 500,000 unknown
 * ones.
 */
function errorsOf(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown, most: number): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, most).map((key) => {
      const near = nearest(key, namesAt(schema, issue.path));
      return {
        field: pathOf([...issue.path, key.slice(0, 100)]),
        message: `is not a field${near ? `; did you mean ${near}?` : ''}`,
      };
    });
  }
  const value = valueAt(body, issue.path);
  const missing =
    value === undefined || value === null || value === '' || (value === 0 && issue.code === 'invalid_type');
  return [
    { field: pathOf(issue.path), message: missing && issue.code === 'invalid_type' ? 'is required' : issue.message },
  ];
}

/** So many errors are told: enough to mend any request that a person wrote. */
const MAX_ERRORS = 100;

function errorsIn(issues: readonly z.core.$ZodIssue[], schema: z.ZodType, body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    if (errors.length >= MAX_ERRORS) break;
    errors.push(...errorsOf(issue, schema, body, MAX_ERRORS - errors.length));
  }
  return errors;
}

/** The request as the operation understands it; 400 with all faulty fields at once otherwise. */
export function validRequest(operation: Operation, body: Record<string, unknown>): unknown {
  const { request } = schemasOf(operation);
  const result = request.safeParse(body);
  if (result.success) return result.data;
  throw invalid(...errorsIn(result.error.issues, request, body));
}

/** The answer as it may leave: declared fields only. Throws, as a fault of ours, when it does not fit. */
export function validResponse(operation: Operation, answer: object): Record<string, unknown> {
  const result = schemasOf(operation).response.safeParse({ ResultCode: 0, Message: '', ...answer });
  if (result.success) return result.data as Record<string, unknown>;
  const where = result.error.issues
    .slice(0, 5)
    .map(({ path, code }) => `${pathOf(path)} ${code}`)
    .join('; ');
  throw new TypeError(`the answer of ${operation.name} does not fit its response: ${where}`);
}
