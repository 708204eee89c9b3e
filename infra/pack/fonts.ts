import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import subsetFont from 'subset-font';

const TARGET = fileURLToPath(new URL('../../lib/pages/pdf/fonts.json', import.meta.url));
const fileOf = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);

/** Latin with all accents, Greek, Cyrillic, punctuation, currencies, arrows and fractions. */
const RANGES: readonly (readonly [from: number, through: number])[] = [
  [0x20, 0x52f],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x20bf],
  [0x2100, 0x21ff],
  [0x2212, 0x2265],
  [0xfffd, 0xfffd],
];

const characters = RANGES.flatMap(([from, through]) =>
  Array.from({ length: through - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
).join('');

const pack = async (name: string): Promise<string> => {
  const subset = await subsetFont(await readFile(fileOf(name)), characters, { targetFormat: 'truetype' });
  return brotliCompressSync(subset).toString('base64');
};

/** The fonts of PDFs (DejaVu Sans), as far as they are needed: `npm run fonts`. */
const fonts = { regular: await pack('DejaVuSans.ttf'), bold: await pack('DejaVuSans-Bold.ttf') };
await writeFile(TARGET, `${JSON.stringify(fonts)}\n`);
console.log(`${TARGET}: ${JSON.stringify(fonts).length} bytes`);
