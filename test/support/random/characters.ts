import fc from 'fast-check';

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const LAST = 0x10ffff;
const GAP = AFTER_SURROGATES - SURROGATES;

/** Where a character is among all; throws for what is not one character. */
function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
  const isOne = code >= 0 && String.fromCodePoint(code) === text;
  if (!isOne || (code >= SURROGATES && code < AFTER_SURROGATES)) throw new Error('This is not one character.');
  return code < SURROGATES ? code : code - GAP;
}

/**
 * Any character, as fast-check's unit `binary` has them. That one lists all million of them in each process that uses
 * it, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - GAP })
  .map((index) => String.fromCodePoint(index < SURROGATES ? index : index + GAP), indexOf);
