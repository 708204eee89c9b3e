import makeBidi, { type Bidi } from 'bidi-js';

/** A part of a line that is read in one direction. */
export interface Part {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

let made: Bidi | undefined;
/** The package exports a factory; its types say otherwise. */
const bidi = (): Bidi => (made ??= (makeBidi as unknown as () => Bidi)());

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER_OF_RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** The parts of a line in order from left to right (Unicode Bidirectional Algorithm). */
export function visualParts(line: string): Part[] {
  if (!RIGHT_TO_LEFT.test(line)) return [{ text: line, isRightToLeft: false }];
  const { levels } = bidi().getEmbeddingLevels(line);
  const parts: { text: string; level: number }[] = [];
  for (const [index, level] of levels.entries()) {
    const last = parts.at(-1);
    const letter = line[index] ?? '';
    const shown = level % 2 ? (bidi().getMirroredCharacter(letter) ?? letter) : letter;
    if (last && last.level === level) last.text += shown;
    else parts.push({ text: shown, level });
  }
  return inVisualOrder(parts).map(({ text, level }) => {
    const isRightToLeft = level % 2 === 1;
    // A font reverses the letters of these scripts itself, but not neutral characters alone between them.
    const turned = isRightToLeft && !LETTER_OF_RIGHT_TO_LEFT.test(text);
    return { text: turned ? [...text].reverse().join('') : text, isRightToLeft };
  });
}

/** From the highest level down, reverses each run of that level or higher. */
function inVisualOrder<Of extends { readonly level: number }>(parts: readonly Of[]): Of[] {
  const order = [...parts];
  const highest = Math.max(...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    let from = 0;
    while (from < order.length) {
      let through = from;
      while ((order[through]?.level ?? -1) >= level) through++;
      if (through > from) order.splice(from, through - from, ...order.slice(from, through).reverse());
      from = through + 1;
    }
  }
  return order;
}
