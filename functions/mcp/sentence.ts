declare const isOurs: unique symbol;

/** A sentence of our own. The assistant trusts it, so it contains nothing that anybody sent or stored. */
export type Sentence = string & { readonly [isOurs]: true };

/** Builds a sentence from our own words and numbers: any other text does not compile. */
export const say = (words: TemplateStringsArray, ...values: readonly (number | Sentence)[]): Sentence =>
  String.raw({ raw: words }, ...values) as Sentence;

/** A code, a time or a token made by the API. It has no spaces, so it cannot become a sentence. */
export function made(value: unknown): Sentence {
  const text = String(value);
  return (/^[\w:./+-]{1,64}$/.test(text) ? text : '') as Sentence;
}

/** `1 visit`, `3 visits`. */
export const count = (number: number, noun: 'client' | 'visit' | 'invoice' | 'open task' | 'lead' | 'pair'): Sentence =>
  `${number} ${noun}${number === 1 ? '' : 's'}` as Sentence;

export const money = (amount: unknown): Sentence => Number(amount ?? 0).toFixed(2) as Sentence;
