/** A field with what a request says of it: absent leaves it as it was, `null` makes it blank. */
export const said = <Value>(given: Value | null | undefined, was: Value, blank: Value): Value =>
  given === undefined ? was : (given ?? blank);

/** The same of a text, trimmed. */
export const saidText = (given: string | null | undefined, was: string): string =>
  given === undefined ? was : (given ?? '').trim();
