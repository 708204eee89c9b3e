import { type Face, type NotoName, notoFace } from './fonts.ts';

/** Consecutive letters in one font. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  /** The text to read aloud or copy if the letters do not give it: they are reordered, or a box replaces one. */
  readonly read?: string | undefined;
}

/** The fonts available to a text, and whether its Han characters are Japanese. */
export interface FaceChoice {
  readonly base: Face;
  readonly rightToLeft: () => Face;
  readonly isJapanese: boolean;
}

const SCRIPTS: readonly (readonly [script: RegExp, names: readonly NotoName[]])[] = [
  [/\p{Script=Thai}/u, ['thai']],
  [/\p{Script=Devanagari}/u, ['devanagari']],
  [/\p{Script=Bengali}/u, ['bengali']],
  [/\p{Script=Tamil}/u, ['tamil']],
  [/\p{Script=Hangul}/u, ['korean']],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['japanese', 'chinese']],
  [/[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u, ['chinese', 'japanese', 'korean']],
  [/[\p{Emoji}\p{Emoji_Component}]/u, ['emoji', 'chinese']],
];

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Characters that belong to the letters around them: spaces, marks, joiners. */
const FOLLOWS = /[\p{M}\p{Cf}\p{Emoji_Modifier}\u{20e3}]/u;
const BETWEEN = /[\p{Z}\p{P}]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const has = (face: Face | undefined, letter: string): boolean => face?.advanceOf(letter) !== undefined;

function faceOf(letter: string, { base, rightToLeft, isJapanese }: FaceChoice): Face | undefined {
  if (RIGHT_TO_LEFT.test(letter) && has(rightToLeft(), letter)) return rightToLeft();
  if (has(base, letter)) return base;
  const found = SCRIPTS.find(([script]) => script.test(letter));
  if (!found) return undefined;
  const names = isJapanese && found[1][0] === 'chinese' ? (['japanese', 'chinese'] as const) : found[1];
  return names.map((name) => notoFace(name)).find((face) => has(face, letter));
}

const BOX = '\u25a1';

function isAllIn(face: Face, text: string): boolean {
  for (const letter of text) if (face.advanceOf(letter) === undefined) return false;
  return true;
}

interface OpenRun {
  text: string;
  readonly face: Face;
  readonly missing?: string;
}

/** Splits a text into runs, each in a font that has it. What no font has is left out, or a box if it is visible. */
export function splitRuns(text: string, choice: FaceChoice): Run[] {
  if (isAllIn(choice.base, text)) return text ? [{ text, face: choice.base }] : [];
  const runs: OpenRun[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const stays =
      last && !last.missing && (FOLLOWS.test(letter) || (last.face !== choice.base && BETWEEN.test(letter)));
    const face = stays && has(last.face, letter) ? last.face : faceOf(letter, choice);
    if (face && last?.face === face && !last.missing) last.text += letter;
    else if (face) runs.push({ text: letter, face });
    else if (!INVISIBLE.test(letter)) runs.push({ text: BOX, face: choice.base, missing: letter });
  }
  return runs.map(({ text: shown, face, missing }) => ({
    text: shown,
    face,
    ...((missing || face.isReordered) && { read: missing ?? shown }),
  }));
}
