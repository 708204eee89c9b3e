/** An invalid field, by its path in the input (`TimeSlots[2].StartMinute`), and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The same faults, in a thing that stands under `path` of another. */
export const prefixErrors = (path: string, faults: readonly FieldError[]): FieldError[] =>
  faults.map(({ field, message }) => ({
    field: field.startsWith('[') || !field ? `${path}${field}` : `${path}.${field}`,
    message,
  }));

/** A field with what a request says of it: absent leaves it as it was, `null` makes it blank. */
export const applyValue = <Value>(given: Value | null | undefined, was: Value, blank: Value): Value =>
  given === undefined ? was : (given ?? blank);

/** The same of a text, trimmed. */
export const applyText = (given: string | null | undefined, was: string): string =>
  given === undefined ? was : (given ?? '').trim();
