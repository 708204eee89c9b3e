const [QUOTE, COMMA, BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET] = [0x22, 0x2c, 0x5c, 0x7d, 0x5d];
/** Types of one letter: `{"S":"text"}`. */
const [B, L, M, N, S] = [0x42, 0x4c, 0x4d, 0x4e, 0x53];
const [ZERO, NINE] = [0x30, 0x39];
/** Digits of a number that adds up exactly. */
const MAX_DIGITS = 15;

/** How often a scanner expects other names than before. */
const MAX_LEARNED = 5;

/** The text is not of the form that DynamoDB sends: without white space, one type a value. */
export class UnknownForm extends Error {}

/**
 * Reads attributes of items in the JSON of DynamoDB straight to plain values. JSON.parse makes an object for each
 * value (`{"S":"text"}`) and takes most of the time of a download; this makes none, and texts are parts of the answer.
 */
export class AttributeScanner {
  readonly #text: string;
  #at: number;
  /** The next backslash from the current offset: texts that end before it have no escapes. */
  #backslash = -1;
  /** The names of an item as most are: in their order, as they stand before a value, and an object that has them. */
  #names: string[] = [];
  #labels: string[] = [];
  #template: Readonly<Record<string, unknown>> = {};
  #learned = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** The offset behind what was read. */
  get at(): number {
    return this.#at;
  }

  /** The items of `[{…},{…}]`. */
  items(): Record<string, unknown>[] {
    return this.#list(() => this.#item());
  }

  /**
   * An item of the same names as the one before is its copy with other values. V8 makes slow hash tables of objects
   * that get more than a dozen computed names one by one, here and wherever they are read.
   */
  #item(): Record<string, unknown> {
    const start = this.#at;
    if (this.#labels.length) {
      const values = { ...this.#template };
      if (this.#fill(values)) return values;
      this.#at = start;
      this.#backslash = -1;
    }
    const values = this.#attributes();
    this.#learnNames(values);
    return values;
  }

  /** Takes the names of an item as those of the next; not for long where each item has others. */
  #learnNames(values: Readonly<Record<string, unknown>>): void {
    this.#labels = [];
    if (this.#learned++ >= MAX_LEARNED) return;
    this.#names = Object.keys(values);
    const labels = this.#names.map((name) => [`${JSON.stringify(name)}:{"`, null] as const);
    // Keys of an object are texts in one piece, which are compared faster.
    this.#labels = Object.keys(Object.fromEntries(labels));
    this.#template = JSON.parse(JSON.stringify(values, (key, value: unknown) => (key ? null : value))) as typeof values;
  }

  /** Reads values of exactly the names of the last item; returns false where there are others. */
  #fill(values: Record<string, unknown>): boolean {
    const text = this.#text;
    const names = this.#names;
    const last = names.length - 1;
    this.#skip('{');
    for (let index = 0; index <= last; index++) {
      const label = this.#labels[index] as string;
      if (!text.startsWith(label, this.#at)) return false;
      this.#at += label.length;
      values[names[index] as string] = this.#value();
      if (!this.#is(CLOSE_BRACE)) throw new UnknownForm();
      this.#at++;
      if (!this.#is(index === last ? CLOSE_BRACE : COMMA)) return false;
      this.#at++;
    }
    return true;
  }

  #is(code: number): boolean {
    return this.#text.charCodeAt(this.#at) === code;
  }

  #skip(expected: string): void {
    if (!this.#text.startsWith(expected, this.#at)) throw new UnknownForm();
    this.#at += expected.length;
  }

  #list<Value>(next: () => Value): Value[] {
    this.#skip('[');
    const values: Value[] = [];
    while (!this.#is(CLOSE_BRACKET)) {
      values.push(next());
      if (this.#is(COMMA)) this.#at++;
      else if (!this.#is(CLOSE_BRACKET)) throw new UnknownForm();
    }
    this.#at++;
    return values;
  }

  #attributes(): Record<string, unknown> {
    this.#skip('{');
    const values: Record<string, unknown> = {};
    while (!this.#is(CLOSE_BRACE)) {
      const name = this.#string();
      this.#skip(':{"');
      values[name] = this.#value();
      this.#skip('}');
      if (this.#is(COMMA)) this.#at++;
      else if (!this.#is(CLOSE_BRACE)) throw new UnknownForm();
    }
    this.#at++;
    return values;
  }

  /** Behind `{"`, up to the brace that closes it. */
  #value(): unknown {
    const text = this.#text;
    const type = text.charCodeAt(this.#at);
    if (text.charCodeAt(this.#at + 1) === QUOTE) {
      this.#at += 3;
      if (type === S) return this.#string();
      if (type === N) return this.#number();
      if (type === M) return this.#attributes();
      if (type === L) return this.#list(() => this.#element());
      if (type === B) return new Uint8Array(Buffer.from(this.#string(), 'base64'));
      throw new UnknownForm();
    }
    return this.#rareValue();
  }

  #element(): unknown {
    this.#skip('{"');
    const value = this.#value();
    this.#skip('}');
    return value;
  }

  #rareValue(): unknown {
    const text = this.#text;
    if (text.startsWith('NULL":true', this.#at)) return this.#taken(10, null);
    if (text.startsWith('BOOL":true', this.#at)) return this.#taken(10, true);
    if (text.startsWith('BOOL":false', this.#at)) return this.#taken(11, false);
    if (text.startsWith('SS":', this.#at)) {
      this.#at += 4;
      return new Set(this.#list(() => this.#string()));
    }
    this.#skip('NS":');
    return new Set(this.#list(() => this.#number()));
  }

  #taken<Value>(length: number, value: Value): Value {
    this.#at += length;
    return value;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    if (!this.#is(QUOTE)) throw new UnknownForm();
    let end = text.indexOf('"', start);
    if (this.#backslash < start) {
      this.#backslash = text.indexOf('\\', start);
      if (this.#backslash === -1) this.#backslash = Infinity;
    }
    const isPlain = end < this.#backslash;
    if (!isPlain) end = this.#endOfEscaped(start);
    if (end === -1) throw new UnknownForm();
    this.#at = end + 1;
    return isPlain ? text.slice(start, end) : (JSON.parse(text.slice(start - 1, end + 1)) as string);
  }

  #endOfEscaped(start: number): number {
    for (let offset = start; offset < this.#text.length; offset++) {
      const code = this.#text.charCodeAt(offset);
      if (code === QUOTE) return offset;
      if (code === BACKSLASH) offset++;
    }
    return -1;
  }

  #number(): number {
    const start = this.#at + 1;
    let offset = start;
    let value = 0;
    for (let code = this.#text.charCodeAt(offset); code >= ZERO && code <= NINE; code = this.#text.charCodeAt(++offset))
      value = value * 10 + (code - ZERO);
    if (offset > start && offset - start <= MAX_DIGITS && this.#text.charCodeAt(offset) === QUOTE) {
      this.#at = offset + 1;
      return value;
    }
    return Number(this.#string());
  }
}
