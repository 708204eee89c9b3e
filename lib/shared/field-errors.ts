import type { FieldErrorCode } from './failure-codes.ts';

/** An invalid field, by its path in the input (`TimeSlots[2].StartMinute`), and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  /** What programs decide by. */
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

/** The new value of a field: absent keeps the previous value, `null` clears it. */
export const applyValue = <Value>(input: Value | null | undefined, previous: Value, blank: Value): Value =>
  input === undefined ? previous : (input ?? blank);

/** The new value of a text field, trimmed. */
export const applyText = (input: string | null | undefined, previous: string): string =>
  input === undefined ? previous : (input ?? '').trim();

/** A field, its message, or false, empty or undefined where the field is valid, and its code. */
export type FieldCheck = readonly [field: string, message: string | false | undefined, code: FieldErrorCode];

/** The errors among checks. */
export const collectErrors = (...checks: readonly FieldCheck[]): FieldError[] =>
  checks.flatMap(([field, message, code]) => (message ? [{ field, code, message }] : []));
