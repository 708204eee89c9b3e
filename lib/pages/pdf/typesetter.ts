import { visualParts } from './bidi.ts';
import type { Face, Faces } from './fonts.ts';
import { type FaceChoice, type Run, splitRuns } from './runs.ts';

export interface Style {
  /** Points. */
  readonly size: number;
  readonly bold: boolean;
}

/** Line spacing, as a multiple of the font size. */
const LINE_HEIGHT = 1.164;
/** Scripts with marks above and below their letters need more room. */
const TALL_LINE_HEIGHT = 1.5;
const ASCENT = 0.928;

const TALL = /[\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;

/**
 * Where a line may break: at spaces, and between letters of scripts without spaces, but not before closing characters.
 */
const BREAK =
  /( +|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef][、。，．：；）」』】〉》！？ー…]*)/u;

let segmenter: Intl.Segmenter | undefined;

/** The letters of a word that is too long for a line; almost always one code unit each. */
function lettersOf(word: string): readonly string[] {
  if (!/[\p{M}\p{Cf}\p{Emoji_Modifier}]/u.test(word)) return [...word];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(word), ({ segment }) => segment);
}

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Breaks texts into lines and draws them, each letter in a font that has it. */
export class Typesetter {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #faces: Faces;
  readonly #registered = new Set<Face>();
  /** Letters that no font has. */
  readonly missing = new Set<string>();

  constructor(pdf: PDFKit.PDFDocument, faces: Faces) {
    this.#pdf = pdf;
    this.#faces = faces;
  }

  #choice({ bold }: Style, text: string): FaceChoice {
    return {
      base: bold ? this.#faces.bold : this.#faces.regular,
      rightToLeft: () => this.#faces.rightToLeft,
      isJapanese: JAPANESE.test(text),
    };
  }

  #width(text: string, style: Style, choice = this.#choice(style, text)): number {
    const thousandths = splitRuns(text, choice).reduce((sum, { face, text: shown }) => sum + face.sumOf(shown), 0);
    return (thousandths * style.size) / 1000;
  }

  /** Breaks a text into lines of at most `width`. */
  lines(text: string, width: number, style: Style): string[] {
    const choice = this.#choice(style, text);
    return text.split('\n').flatMap((paragraph) => this.#breakParagraph(paragraph, width, style, choice));
  }

  #breakParagraph(paragraph: string, width: number, style: Style, choice: FaceChoice): string[] {
    const lines: string[] = [];
    let [line, used] = ['', 0];
    const add = (piece: string, its: number) => {
      const isSpace = piece.startsWith(' ');
      if (line && !isSpace && used + its > width) {
        lines.push(line.trimEnd());
        [line, used] = ['', 0];
      }
      if (isSpace && !line && lines.length) return;
      line += piece;
      used += its;
    };
    for (const piece of paragraph.split(BREAK).filter(Boolean)) {
      const its = this.#width(piece, style, choice);
      if (its <= width || piece.startsWith(' ')) add(piece, its);
      else for (const letter of lettersOf(piece)) add(letter, this.#width(letter, style, choice));
    }
    return [...lines, line.trimEnd()];
  }

  static height(lines: readonly string[], { size }: Style): number {
    return lines.reduce((sum, line) => sum + size * (TALL.test(line) ? TALL_LINE_HEIGHT : LINE_HEIGHT), 0);
  }

  /** Draws a line whose top is at `y`, starting at `x` or, with `right`, ending there. */
  draw(line: string, { x, y, right }: { x?: number; y: number; right?: number }, style: Style): void {
    const choice = this.#choice(style, line);
    const runs = visualParts(line).flatMap(({ text, isRightToLeft }) => {
      const parts = splitRuns(text, choice);
      return isRightToLeft ? parts.reverse() : parts;
    });
    const baseline = y + style.size * (TALL.test(line) ? ASCENT + TALL_LINE_HEIGHT - LINE_HEIGHT : ASCENT);
    const widthOf = (run: Run): number => (run.face.widthOf(run.text) * style.size) / 1000;
    let left = right === undefined ? (x ?? 0) : right - runs.reduce((sum, run) => sum + widthOf(run), 0);
    for (const [index, run] of runs.entries()) {
      this.#drawRun(run, left, baseline, style);
      if (index < runs.length - 1) left += widthOf(run);
    }
  }

  #drawRun({ text, face, read }: Run, x: number, y: number, { size }: Style): void {
    const pdf = this.#pdf;
    if (!this.#registered.has(face)) pdf.registerFont(face.name, face.file);
    this.#registered.add(face);
    pdf.font(face.name, size);
    // Without `features`, words are shaped one by one and cached; right-to-left words would be in the wrong order.
    const options = { lineBreak: false, baseline: 'alphabetic', ...(face.isRightToLeft && { features: [] }) } as const;
    if (read !== undefined) pdf.markContent('Span', { actual: read });
    if (read !== undefined && !face.isReordered) this.missing.add(read);
    pdf.text(text, x, y, options);
    if (read !== undefined) pdf.endMarkedContent();
  }
}
