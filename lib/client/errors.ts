import type { FailureCode, FieldError } from './api.ts';

/** What is known about a call that failed. */
export interface FailureFacts {
  readonly message: string;
  /** HTTP status; 0 if no answer came. */
  readonly status?: number;
  readonly code?: string;
  readonly fields?: readonly FieldError[];
  readonly requestId?: string;
  readonly operation?: string;
  /** Seconds after which the API asks to repeat the call. */
  readonly retryAfter?: number;
  /** The whole body of the answer: some failures have result fields, such as the candidates of an ambiguous match. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A call that failed. Act on `code`; `message` is for people. */
export class FieldServiceError extends Error {
  override readonly name: string = 'FieldServiceError';
  readonly status: number;
  /** `''` for an answer of the gateway, `connection` or `timeout` if no answer came. */
  readonly code: FailureCode | (string & {});
  readonly fields: readonly FieldError[];
  readonly requestId: string;
  readonly operation: string;
  readonly retryAfter: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.code = facts.code ?? '';
    this.fields = facts.fields ?? [];
    this.requestId = facts.requestId ?? '';
    this.operation = facts.operation ?? '';
    this.retryAfter = facts.retryAfter;
    this.body = facts.body ?? {};
  }
}

/** 400 and 413: `fields` has every invalid field. */
export class InvalidRequestError extends FieldServiceError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends FieldServiceError {
  override readonly name = 'AuthenticationError';
}

/** 403: the role, the organization or a restriction of the key does not allow the call. */
export class PermissionError extends FieldServiceError {
  override readonly name = 'PermissionError';
}

/** 404: the record does not exist for this key. */
export class NotFoundError extends FieldServiceError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of a record forbids the call, such as a slot that is taken. */
export class ConflictError extends FieldServiceError {
  override readonly name = 'ConflictError';
}

/** 429, for longer than calls are repeated. */
export class RateLimitError extends FieldServiceError {
  override readonly name = 'RateLimitError';
}

/** 500 and above, for longer than calls are repeated. */
export class ServerError extends FieldServiceError {
  override readonly name = 'ServerError';
}

/** No answer came for as long as calls are repeated. A write may have been done: repeat it with its idempotencyKey. */
export class ConnectionError extends FieldServiceError {
  override readonly name = 'ConnectionError';
}

/** The body of a webhook is not signed with the secret, or was signed too long ago. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const byStatus: Readonly<Record<number, typeof FieldServiceError>> = {
  0: ConnectionError,
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  429: RateLimitError,
};

/** An error of the class for its status. */
export function errorOf(facts: FailureFacts): FieldServiceError {
  const status = facts.status ?? 0;
  const ErrorClass = byStatus[status] ?? (status >= 500 ? ServerError : FieldServiceError);
  return new ErrorClass(facts);
}
