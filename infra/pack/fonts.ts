import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import subsetFont from 'subset-font';

const TARGET = fileURLToPath(new URL('../../lib/pages/pdf/fonts.json', import.meta.url));
const fileOf = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);

type Ranges = readonly (readonly [from: number, through: number])[];

/** Latin with all accents, Greek, Cyrillic, Armenian, punctuation, currencies, arrows, fractions and a box. */
const LEFT_TO_RIGHT: Ranges = [
  [0x20, 0x58f],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x20bf],
  [0x2100, 0x21ff],
  [0x2212, 0x2265],
  [0x25a1, 0x25a1],
  [0xfffd, 0xfffd],
];

/** Hebrew and Arabic, with the characters between their words. */
const RIGHT_TO_LEFT: Ranges = [
  [0x20, 0x7e],
  [0xa0, 0xbf],
  [0x590, 0x6ff],
  [0x750, 0x77f],
  [0x2000, 0x206f],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefc],
];

const charactersOf = (ranges: Ranges): string =>
  ranges
    .flatMap(([from, through]) =>
      Array.from({ length: through - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
    )
    .join('');

/** Latin kerning takes half of the time of a long document: only scripts that join letters keep their rules. */
async function pack(name: string, ranges: Ranges, dropTables: string[] = []): Promise<string> {
  const options = { targetFormat: 'truetype', dropTables } as const;
  const subset = await subsetFont(await readFile(fileOf(name)), charactersOf(ranges), options);
  return brotliCompressSync(subset).toString('base64');
}

const RULES = ['GSUB', 'GPOS', 'GDEF', 'kern'];

/** The fonts for PDFs (DejaVu Sans), reduced to what is needed: `npm run fonts`. */
const fonts = {
  regular: await pack('DejaVuSans.ttf', LEFT_TO_RIGHT, RULES),
  bold: await pack('DejaVuSans-Bold.ttf', LEFT_TO_RIGHT, RULES),
  rightToLeft: await pack('DejaVuSans.ttf', RIGHT_TO_LEFT),
};
await writeFile(TARGET, `${JSON.stringify(fonts)}\n`);
console.log(`${TARGET}: ${JSON.stringify(fonts).length} bytes`);
