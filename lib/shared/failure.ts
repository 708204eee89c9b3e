import { formatInteger } from './limits.ts';
import type { FieldError } from './field-errors.ts';

export const failureKinds = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  conflict: 409,
  tooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
} as const;
export type FailureCode = (typeof failureKinds)[keyof typeof failureKinds];

interface FailureDetails {
  readonly errors?: readonly FieldError[];
  readonly fields?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** A failed call: the code is the HTTP status and the ResultCode, the message says what is wrong and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
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
    this.errors = errors;
    this.fields = fields;
    this.headers = headers;
  }
}

/** 400; the message is that of the one invalid field, or lists the fields. */
export const invalid = (...errors: readonly FieldError[]): Failure => invalidFields(errors, errors.length);

/** Errors that one answer lists. */
export const MAX_ERRORS = 100;

/** 400 for so many errors, of which the answer lists the first 100. */
export function invalidFields(errors: readonly FieldError[], count: number): Failure {
  const listed = errors.slice(0, MAX_ERRORS);
  const [first] = listed;
  if (count === 1 && first) return new Failure(400, sentence(first), { errors: listed });
  const fields = listed.map(({ field }) => quote(field)).join(', ');
  const more = count > listed.length ? ` and ${formatInteger(count - listed.length)} more` : '';
  return new Failure(400, `${formatInteger(count)} fields are invalid: ${fields}${more}.`, { errors: listed });
}

/** An unknown field name may contain anything; quoted, it cannot pass for a part of the sentence. */
const quote = (name: string): string => (/^[\p{L}\p{N}_.[\]-]+$/u.test(name) ? name : JSON.stringify(name));

const sentence = ({ field, message }: FieldError): string =>
  `${field ? quote(field) : 'The body'} ${message}${/[.?]$/.test(message) ? '' : '.'}`;

/** The parsed value of a field, or 400. */
export function orInvalid<Parsed extends { readonly ok: true } | { readonly ok: false; readonly reason: string }>(
  parsed: Parsed,
  field: string,
): Extract<Parsed, { readonly ok: true }> {
  if (!parsed.ok) throw invalid({ field, message: `cannot be read: ${parsed.reason}` });
  return parsed as Extract<Parsed, { readonly ok: true }>;
}

/**
 * 404: the record does not exist, or not for this key; the answer is the same. `advice` is a sentence on what to do.
 */
export function notFound(noun: string, field: string, id: unknown, { advice = '' } = {}): Failure {
  const text = typeof id === 'string' ? JSON.stringify(id.slice(0, 200)) : String(id);
  const message = `There is no ${noun} ${text}.${advice && ` ${advice}`}`;
  return new Failure(404, message, { errors: [{ field, message }] });
}

export function orNotFound<Found>(record: Found | undefined, noun: string, field: string, id: unknown): Found {
  if (record === undefined) throw notFound(noun, field, id);
  return record;
}

/** 409: the state does not allow the call. */
export const conflict = (message: string, fields: Record<string, unknown> = {}): Failure =>
  new Failure(409, message, { fields });

/** 403: the key's role or organization does not allow the call. */
export const forbidden = (message: string, field?: string): Failure =>
  new Failure(403, message, field ? { errors: [{ field, message }] } : {});
