/** How long an answer that rarely changes is trusted. */
const TRUSTED_MILLISECONDS = 30_000;
const MAX_REMEMBERED = 1_000;

/**
 * Answers of the table that nearly every call asks for, kept in memory for up to 30 seconds; what was not found is not
 * kept.
 */
export class TtlCache<Value> {
  readonly #answers = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();

  /** The answer under `name`, read with `read` when it is not known or too old. Calls of one moment share one read. */
  recall(name: string, now: Date, read: () => Promise<Value>): Promise<Value> {
    const known = this.#answers.get(name);
    if (known && known.until > now.getTime()) return known.value;
    if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
    const value = read();
    this.#answers.set(name, { value, until: now.getTime() + TRUSTED_MILLISECONDS });
    const forget = () => this.#answers.delete(name);
    value.then((found) => found === undefined && forget(), forget);
    return value;
  }

  /** Has the answer under `name` read anew. */
  forget(name: string): void {
    this.#answers.delete(name);
  }
}
