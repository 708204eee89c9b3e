/** How many parts a text message has, and the letters that keep it short. */

/** The alphabet of GSM-7 (3GPP TS 23.038, 6.2.1); each letter is 7 bits. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà';
/** Its extension (6.2.1.1): each is an escape and a letter, which are never in different parts. */
const EXTENDED = '\f^{}\\[~]|€';

const SIZES: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((letter) => [letter, 1] as const),
  ...[...EXTENDED].map((letter) => [letter, 2] as const),
]);

/** The letters of a text that is one part, and those of each part of a longer one, which has a header. */
const GSM_LENGTHS = { one: 160, part: 153 };
const UCS2_LENGTHS = { one: 70, part: 67 };

/** The parts of a text: of GSM-7 if all its letters are in it, else of UCS-2. */
export function segmentsOf(text: string): number {
  const letters = [...text];
  const isGsm = letters.every((letter) => SIZES.has(letter));
  const { one, part } = isGsm ? GSM_LENGTHS : UCS2_LENGTHS;
  const sizes = letters.map((letter) => (isGsm ? (SIZES.get(letter) ?? 1) : letter.length));
  if (sizes.reduce((sum, size) => sum + size, 0) <= one) return 1;
  let [parts, used] = [1, 0];
  for (const size of sizes) {
    if (used + size > part) [parts, used] = [parts + 1, 0];
    used += size;
  }
  return parts;
}

/** Signs that say the same in GSM-7. */
const PLAIN_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u2000-\u200a\u202f]/g, ' '],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018\u2019\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u2033«»]/g, '"'],
  [/\u2026/g, '...'],
];

const withoutAccent = (letter: string): string =>
  SIZES.has(letter) ? letter : letter.normalize('NFD').replaceAll(/\p{M}/gu, '');

/**
 * The text as it is sent. Dashes, quotes and spaces of print are plain. Accents that GSM-7 lacks are left out only
 * where that makes fewer parts. `á` and `í` make two parts of UCS-2 of a text of 120 letters; without them it is one of
 * GSM-7.
 * A text of 60 letters is one part either way, and keeps them. `é`, `ñ`, `ü`, `¿` and `¡` are in GSM-7.
 */
export function shortestSpelling(text: string): string {
  const plain = PLAIN_SIGNS.reduce((each, [signs, sign]) => each.replaceAll(signs, sign), text.normalize('NFC'));
  const folded = [...plain].map(withoutAccent).join('');
  return segmentsOf(folded) < segmentsOf(plain) ? folded : plain;
}
