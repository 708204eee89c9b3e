declare const isOurs: unique symbol;

/** A text of our own words. The assistant reads it as ours, so nothing that anybody sent or stored is part of it. */
export type Sentence = string & { readonly [isOurs]: true };

/** Our own words, with numbers: a text of somebody else does not compile. */
export const say = (words: TemplateStringsArray, ...values: readonly (number | Sentence)[]): Sentence =>
  String.raw({ raw: words }, ...values) as Sentence;

/** A code, a moment or a token that the API made, of which no sentence can be made: it has no blank. */
export function made(value: unknown): Sentence {
  const text = String(value);
  return (/^[\w:./+-]{1,64}$/.test(text) ? text : '') as Sentence;
}

/** `1 visit`, `3 visits`. */
export const count = (number: number, noun: 'client' | 'visit' | 'invoice' | 'open task' | 'lead' | 'pair'): Sentence =>
  `${number} ${noun}${number === 1 ? '' : 's'}` as Sentence;

export const money = (amount: unknown): Sentence => Number(amount ?? 0).toFixed(2) as Sentence;
