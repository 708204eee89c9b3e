/** Random choices that are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from `from` through `through`. */
  between(from: number, through: number): number {
    return from + Math.floor(this.next() * (through - from + 1));
  }

  pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value {
    if (!values.length) throw new RangeError('Nothing to choose from.');
    return values[Math.floor(this.next() * values.length)] as Value;
  }
}
