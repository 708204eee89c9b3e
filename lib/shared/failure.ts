import {
  type CodeOf,
  type FailureCode,
  type FailureStatus,
  type FieldErrorCode,
  failureCodes,
} from './failure-codes.ts';
import { formatInteger } from './text/text.ts';

/** How a call fails: with a code, a message and every invalid field. */

interface FailureDetails {
  readonly errors?: readonly FieldError[];
  readonly fields?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** A failed call. Programs decide by its code; the message says what is wrong and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** The HTTP status and the ResultCode. */
  readonly status: FailureStatus;
  readonly errors: readonly FieldError[];
  /** Result fields that help the caller, such as the candidates of an ambiguous match. */
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: FailureCode,
    message: string,
    { errors = [], fields = {}, headers = {}, cause }: FailureDetails = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = failureCodes[code];
    this.errors = errors;
    this.fields = fields;
    this.headers = headers;
  }
}

/** A 400 whose message is that of the first invalid field and names the others. */
export const invalid = (...errors: readonly FieldError[]): Failure => invalidFields(errors, errors.length);

/** The most errors that one answer lists. */
export const MAX_ERRORS = 100;

/** A 400 for `count` errors, of which the answer lists the first 100. */
export function invalidFields(errors: readonly FieldError[], count: number): Failure {
  const listed = errors.slice(0, MAX_ERRORS);
  const [first] = listed;
  if (first && count === 1) return new Failure('invalid_request', sentence(first), { errors: listed });
  if (!first) throw new InternalError('An invalid request names no field.');
  const others = listed.slice(1).map(({ field }) => quote(field));
  const unlisted = count > listed.length ? ` and ${formatInteger(count - listed.length)} more` : '';
  const more = `${formatInteger(count - 1)} more: ${others.join(', ')}${unlisted}`;
  const reason = sentence(first);
  const message = reason.endsWith('.') ? `${reason.slice(0, -1)} (and ${more}).` : `${reason} And ${more}.`;
  return new Failure('invalid_request', message, { errors: listed });
}

/** Quotes a field name that may contain anything, so that it cannot pass for part of the sentence. */
export const quote = (name: string): string => (/^[\p{L}\p{N}_.[\]-]+$/u.test(name) ? name : JSON.stringify(name));

const sentence = ({ field, message }: FieldError): string =>
  `${field ? quote(field) : 'The body'} ${message}${/[.?]$/.test(message) ? '' : '.'}`;

/** The parsed value of a field, or 400. */
export function orInvalid<Parsed extends { readonly ok: true } | { readonly ok: false; readonly reason: string }>(
  parsed: Parsed,
  field: string,
): Extract<Parsed, { readonly ok: true }> {
  if (!parsed.ok) throw invalid({ field, code: 'format', message: `cannot be read: ${parsed.reason}` });
  return parsed as Extract<Parsed, { readonly ok: true }>;
}

/** A 404: the record does not exist, or not for this key; the answer is the same. `advice` says what to do. */
export function notFound(noun: string, field: string, id: unknown, { advice = '' } = {}): Failure {
  const text = typeof id === 'string' ? JSON.stringify(id.slice(0, 200)) : String(id);
  const message = `There is no ${noun} ${text}.${advice && ` ${advice}`}`;
  return new Failure('not_found', message, { errors: [{ field, code: 'not_found', message }] });
}

export function orNotFound<Found>(record: Found | undefined, noun: string, field: string, id: unknown): Found {
  if (record === undefined) throw notFound(noun, field, id);
  return record;
}

/** A 409: the state does not allow the call. */
export const conflict = (code: CodeOf<409>, message: string, fields: Record<string, unknown> = {}): Failure =>
  new Failure(code, message, { fields });

/** A failure that another call answered. */
export const answeredFailure = (code: unknown, message: unknown): Failure =>
  new Failure(
    typeof code === 'string' && Object.hasOwn(failureCodes, code) ? (code as FailureCode) : 'internal_error',
    String(message),
  );

/** A 403: the key does not allow the call. */
export const forbidden = (code: CodeOf<403>, message: string, field?: string): Failure =>
  new Failure(code, message, field ? { errors: [{ field, code: 'forbidden', message }] } : {});

/**
 * A defect that this project's own code reports. Its message is logged, so it names fields, ids and limits, never a
 * customer's text. Messages of other errors are not logged: `JSON.parse` quotes its input, and AWS its parameters.
 */
export class InternalError extends Error {
  override readonly name: string = 'InternalError';
}

/** An invalid field, by its path in the input (`TimeSlots[2].StartMinute`), and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  /** The code that programs decide by. */
  readonly code: FieldErrorCode;
  readonly message: string;
}

/** An invalid field of one of several inputs. */
export interface IndexedError extends FieldError {
  readonly index: number;
}

/** The errors of a value that is nested under `path`. */
export const prefixErrors = (path: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map((error) => ({
    ...error,
    field: error.field.startsWith('[') || !error.field ? `${path}${error.field}` : `${path}.${error.field}`,
  }));

/** A field, its message (false, empty or undefined if the field is valid) and its code. */
export type FieldCheck = readonly [field: string, message: string | false | undefined, code: FieldErrorCode];

/** The errors of the checks that failed. */
export const collectErrors = (...checks: readonly FieldCheck[]): FieldError[] =>
  checks.flatMap(([field, message, code]) => (message ? [{ field, code, message }] : []));
