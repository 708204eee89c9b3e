/** An invalid field, by its path in the input (`TimeSlots[2].StartMinute`), and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An invalid field of one of several inputs, with the place of that input among them. */
export interface IndexedError extends FieldError {
  readonly index: number;
}

/** The same faults, in a thing that stands under `path` of another. */
export const prefixErrors = (path: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map(({ field, message }) => ({
    field: field.startsWith('[') || !field ? `${path}${field}` : `${path}.${field}`,
    message,
  }));

/** A field with what a request says of it: absent leaves it as it was, `null` makes it blank. */
export const applyValue = <Value>(input: Value | null | undefined, was: Value, blank: Value): Value =>
  input === undefined ? was : (input ?? blank);

/** The same of a text, trimmed. */
export const applyText = (input: string | null | undefined, was: string): string =>
  input === undefined ? was : (input ?? '').trim();

/** The errors among checks: each is a field and its message, or false, empty or undefined where the field is valid. */
export const collectErrors = (
  ...checks: readonly (readonly [field: string, message: string | false | undefined])[]
): FieldError[] => checks.flatMap(([field, message]) => (message ? [{ field, message }] : []));
