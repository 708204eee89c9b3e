import type { FieldError } from './field-errors.ts';

/** What can go wrong with a call, as an operation's `failures` declare it for the documentation. */
export const failureKinds = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  conflict: 409,
  tooLarge: 413,
  rateLimited: 429,
  fault: 500,
  unavailable: 503,
} as const;
export type FailureKind = keyof typeof failureKinds;
export type FailureCode = (typeof failureKinds)[FailureKind];

/**
 * The end of a call that could not be done: its code is both the HTTP status and the ResultCode, its message a sentence
 * to act on.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly errors: readonly FieldError[];
  /** Result fields that help the caller on, like the candidates of an ambiguous match. */
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: FailureCode,
    message: string,
    {
      errors = [],
      fields = {},
      headers = {},
      cause,
    }: {
      errors?: readonly FieldError[];
      fields?: Record<string, unknown>;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.errors = errors;
    this.fields = fields;
    this.headers = headers;
  }
}

/** Whether something thrown is a Failure; code beside a bundle (infra/side-files.ts) has a class Failure of its own. */
export const isFailure = (error: unknown): error is Failure => error instanceof Error && error.name === 'Failure';

/** 400 with every field at fault; the sentence is that of the one field, or counts them. */
export function invalid(...errors: readonly FieldError[]): Failure {
  const [first] = errors;
  const message =
    errors.length === 1 && first
      ? sentence(first)
      : `${errors.length} fields are at fault: ${errors.map(({ field }) => shown(field)).join(', ')}.`;
  return new Failure(400, message, { errors });
}

/** A name that a caller made up may hold anything; in quotes it cannot pass for a part of the sentence. */
const shown = (name: string): string => (/^[\p{L}\p{N}_.[\]-]+$/u.test(name) ? name : JSON.stringify(name));

const sentence = ({ field, message }: FieldError): string =>
  `${field ? shown(field) : 'The body'} ${message}${/[.?]$/.test(message) ? '' : '.'}`;

/** 404: the thing does not exist, or not for this key; both look alike. */
export function notFound(what: string, field: string, id: unknown): Failure {
  const message = `There is no ${what} ${typeof id === 'number' ? id : JSON.stringify(id)}.`;
  return new Failure(404, message, { errors: [{ field: field, message: message }] });
}

/** The record, or 404 if it does not exist for the caller. */
export function orNotFound<Found>(record: Found | undefined, noun: string, field: string, id: unknown): Found {
  if (record === undefined) throw notFound(noun, field, id);
  return record;
}

/** 409: the state forbids it. */
export const conflict = (message: string, fields: Record<string, unknown> = {}): Failure =>
  new Failure(409, message, { fields });

/** 403: the key's role or organization does not allow it. */
export const forbidden = (message: string, field?: string): Failure =>
  new Failure(403, message, field ? { errors: [{ field: field, message: message }] } : {});
