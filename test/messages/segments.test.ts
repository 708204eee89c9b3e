import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentsOf, shortestSpelling } from '../../lib/domain/messages/segments.ts';

/** The tables of 3GPP TS 23.038 (6.2.1) as the standard prints them, by code. */
const TABLE = [
  '@ £ $ ¥ è é ù ì ò Ç LF Ø ø CR Å å',
  'Δ _ Φ Γ Λ Ω Π Ψ Σ Θ Ξ ESC Æ æ ß É',
  'SP ! " # ¤ % & \' ( ) * + , - . /',
  '0 1 2 3 4 5 6 7 8 9 : ; < = > ?',
  '¡ A B C D E F G H I J K L M N O',
  'P Q R S T U V W X Y Z Ä Ö Ñ Ü §',
  '¿ a b c d e f g h i j k l m n o',
  'p q r s t u v w x y z ä ö ñ ü à',
].flatMap((row) => row.split(' '));
const NAMED: Readonly<Record<string, string>> = { LF: '\n', CR: '\r', SP: ' ' };
const basic = TABLE.filter((sign) => sign !== 'ESC').map((sign) => NAMED[sign] ?? sign);
const extended = ['\f', '^', '{', '}', '\\', '[', '~', ']', '|', '€'];

/** The parts of a text, cut one after the other from its front. */
function cut(text: string): string[] {
  const isGsm = Array.from(text).every((letter) => basic.includes(letter) || extended.includes(letter));
  const lengthOf = (part: string): number =>
    isGsm ? Array.from(part).reduce((sum, letter) => sum + (extended.includes(letter) ? 2 : 1), 0) : part.length;
  if (lengthOf(text) <= (isGsm ? 160 : 70)) return [text];
  const parts: string[] = [];
  let rest = Array.from(text);
  while (rest.length > 0) {
    let taken = rest.length;
    while (lengthOf(rest.slice(0, taken).join('')) > (isGsm ? 153 : 67)) taken--;
    parts.push(rest.slice(0, taken).join(''));
    rest = rest.slice(taken);
  }
  return parts;
}

test('the table has 127 letters and an escape', () => {
  expect(TABLE).toHaveLength(128);
  expect(new Set(basic).size).toBe(127);
});

test.each([
  ['', 1],
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  // An escape and its letter stay together: 152 and one part of 153 would be 305 letters.
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['í'.repeat(70), 1],
  ['í'.repeat(71), 2],
  ['í'.repeat(134), 2],
  ['í'.repeat(135), 3],
  ['é'.repeat(160), 1],
  ['🏡'.repeat(35), 1],
  ['🏡'.repeat(36), 2],
  // 33 pairs fit into 67 units.
  ['🏡'.repeat(67), 3],
])('%j is %i parts', (text, parts) => {
  expect(segmentsOf(text)).toBe(parts);
});

test('the parts are those of a text that is cut from its front', () => {
  const letters = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...basic) },
    { weight: 2, arbitrary: fc.constantFrom(...extended) },
  );
  const gsm = fc.string({ unit: letters, minLength: 100, maxLength: 500 });
  const any = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(
    fc.property(fc.oneof(gsm, any), (text) => {
      expect(segmentsOf(text)).toBe(cut(text).length);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['accents that cost no part stay', 'Su jardín está listo.', 'Su jardín está listo.'],
  ['accents that cost a part go', `Su jardín está listo ${'a'.repeat(100)}`, `Su jardin esta listo ${'a'.repeat(100)}`],
  ['letters of GSM-7 stay', `¿Qué año, señor Müller? ${'á'.repeat(100)}`, `¿Qué año, señor Müller? ${'a'.repeat(100)}`],
  ['accents stay where another letter needs UCS-2', `Анна, jardín${'a'.repeat(100)}`, `Анна, jardín${'a'.repeat(100)}`],
  ['signs of print are plain', 'It’s “8–10 AM”…', 'It\'s "8-10 AM"...'],
  ['an accent beside its letter is one with it', 'cafe\u0301', 'café'],
])('%s', (_, text, expected) => {
  expect(shortestSpelling(text)).toBe(expected);
});

test('no spelling has more parts than the text, and each is a spelling of the same letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aeiáéíóúñ ÁÖç–€🏡'), maxLength: 300 }), (text) => {
      const spelled = shortestSpelling(text);
      expect(cut(spelled).length).toBeLessThanOrEqual(cut(text).length);
      const bare = (each: string) => each.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('–', '-');
      expect(bare(spelled)).toBe(bare(text));
    }),
    { numRuns: 200 },
  );
});
