import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as fontkit from 'fontkit';

/** A font, for measuring texts. */
export interface Face {
  readonly name: string;
  readonly file: Buffer;
  /** The width of a letter in thousandths of the font size; `undefined` if the font lacks it. */
  advanceOf(letter: string): number | undefined;
  /** The sum of the widths of the letters. Joined letters take less room. */
  sumOf(text: string): number;
  /** The width of a text as it is drawn, which takes much longer to find for joining letters. */
  widthOf(text: string): number;
  /** Whether the script is written from right to left. */
  readonly isRightToLeft: boolean;
  /** Whether letters are drawn in another order or in other pieces than they are read. */
  readonly isReordered: boolean;
}

interface Letters extends Partial<Pick<Face, 'isReordered' | 'isRightToLeft'>> {
  /** Whether letters join, so that the font must measure a text as a whole. */
  readonly isShaped: boolean;
}

function makeFace(name: string, file: Buffer, { isShaped, isReordered = false, isRightToLeft = false }: Letters): Face {
  const font = fontkit.create(file) as fontkit.Font;
  const scale = 1000 / font.unitsPerEm;
  const advances: (number | undefined)[] = [];
  const lacking = new Set<number>();
  const advanceOf = (letter: string): number | undefined => {
    const code = letter.codePointAt(0) ?? 0;
    const known = advances[code];
    if (known !== undefined || lacking.has(code)) return known;
    if (font.hasGlyphForCodePoint(code)) return (advances[code] = font.glyphForCodePoint(code).advanceWidth * scale);
    lacking.add(code);
    return undefined;
  };
  const sumOf = (text: string): number => {
    let sum = 0;
    for (const letter of text) sum += advanceOf(letter) ?? 0;
    return sum;
  };
  const widthOf = isShaped ? (text: string) => font.layout(text).advanceWidth * scale : sumOf;
  return { name, file, advanceOf, sumOf, widthOf, isReordered, isRightToLeft };
}

type PackedName = 'regular' | 'bold' | 'rightToLeft';

export type Faces = Readonly<Record<PackedName, Face>>;

let packed: Promise<Readonly<Record<PackedName, string>>> | undefined;
const faces = new Map<string, Face | undefined>();

/** Fonts of the scripts that the bundled ones (DejaVu Sans) lack. Their packages have one folder per weight. */
const NOTO = {
  thai: { file: 'noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf', isShaped: true, isReordered: true },
  devanagari: {
    file: 'noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
    isShaped: true,
    isReordered: true,
  },
  bengali: { file: 'noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf', isShaped: true, isReordered: true },
  tamil: { file: 'noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf', isShaped: true, isReordered: true },
  emoji: { file: 'noto-emoji/400Regular/NotoEmoji_400Regular.ttf', isShaped: true },
  japanese: { file: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf', isShaped: false },
  korean: { file: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf', isShaped: false },
  /** All Han characters, simplified and traditional. */
  chinese: { file: 'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf', isShaped: false },
} as const;
export type NotoName = keyof typeof NOTO;

/** Where the bundle has the files; the packages have them elsewhere. */
const PACKAGES = 'node_modules/@expo-google-fonts';
export const fontFiles: readonly { readonly from: string; readonly name: string }[] = Object.values(NOTO).map(
  ({ file }) => ({ from: join(PACKAGES, file), name: file.slice(file.lastIndexOf('/') + 1) }),
);

const pathOf = (file: string): string =>
  process.env['LAMBDA_TASK_ROOT']
    ? join(process.env['LAMBDA_TASK_ROOT'], 'assets', file.slice(file.lastIndexOf('/') + 1))
    : join(PACKAGES, file);

function once(name: string, make: () => Face | undefined): Face | undefined {
  if (!faces.has(name)) faces.set(name, make());
  return faces.get(name);
}

/** The font of a script, read when a text first needs it; `undefined` if its file is missing. */
export const notoFace = (name: NotoName): Face | undefined =>
  once(name, () => {
    const { file, ...letters } = NOTO[name];
    try {
      return makeFace(name, readFileSync(pathOf(file)), letters);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });

/** The fonts that every document loads. */
export async function loadFaces(): Promise<Faces> {
  packed ??= import('./fonts.json', { with: { type: 'json' } }).then(({ default: texts }) => texts);
  const texts = await packed;
  const face = (name: PackedName) =>
    once(name, () =>
      makeFace(name, brotliDecompressSync(Buffer.from(texts[name], 'base64')), {
        isShaped: name === 'rightToLeft',
        isRightToLeft: name === 'rightToLeft',
      }),
    ) as Face;
  return {
    regular: face('regular'),
    bold: face('bold'),
    get rightToLeft() {
      return face('rightToLeft');
    },
  };
}
