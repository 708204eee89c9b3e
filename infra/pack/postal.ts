import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { MAGIC, UNITS_PER_DEGREE, fold } from '../../lib/domain/postal/localities.ts';

/** A row of the source. */
export type SourceCode = {
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly city: string;
  readonly state: string;
};

const TARGET = fileURLToPath(new URL('../../lib/domain/postal/postal-data.json', import.meta.url));

/** States with post offices in the Eastern Hemisphere: Pacific islands, the Aleutians, military addresses. */
const EASTERN_HEMISPHERE = new Set(['AE', 'AP', 'AK', 'FM', 'GU', 'HI', 'MH', 'MP', 'PW']);

/** The rows of the npm package `zipcodes`, sorted by code, with their one known error corrected. */
export function sourceCodes(): SourceCode[] {
  const Row = z.object({
    zip: z.string().regex(/^\d{5}$/),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    city: z.string().regex(/^[^=\n][^\n]*$/),
    state: z.string().regex(/^[A-Z]{2}$/),
  });
  const Source = z.object({ codes: z.record(z.string(), Row) });
  const { codes } = Source.parse(createRequire(import.meta.url)('zipcodes/lib/codes.js'));
  return (
    Object.values(codes)
      .sort((a, b) => Number(a.zip) - Number(b.zip))
      // 10200 New York is given at 73.95° east: its minus sign is missing.
      .map((row) => {
        const lost = row.longitude > 0 && !EASTERN_HEMISPHERE.has(row.state);
        return lost ? { ...row, longitude: -row.longitude } : row;
      })
  );
}

/** Packs sorted rows into the format that `decodePostal` reads. */
export function packPostal(rows: readonly SourceCode[]): Uint8Array {
  const column = (values: readonly number[]): number[] => values.flatMap(groupsOfSevenBits);
  const steps = (values: readonly number[]): number[] => values.map((value, row) => value - (values[row - 1] ?? 0));
  const units = (degrees: number): number => Math.round(degrees * UNITS_PER_DEGREE);

  const known = new Map<string, number>();
  const lines: string[] = [];
  let state = '';
  const localities = rows.map((row) => {
    const locality = `${row.city}\n${row.state}`;
    const index = known.get(locality);
    if (index !== undefined) return known.size - index;
    if (row.state !== state) lines.push(`=${(state = row.state)}`);
    lines.push(row.city);
    known.set(locality, known.size);
    return 0;
  });

  return Buffer.concat([
    Buffer.from(MAGIC),
    Buffer.from(column([rows.length])),
    Buffer.from(column(steps(rows.map((row) => Number(row.zip))))),
    Buffer.from(column(steps(rows.map((row) => units(row.latitude))).map(fold))),
    Buffer.from(column(steps(rows.map((row) => units(row.longitude))).map(fold))),
    Buffer.from(column(localities)),
    Buffer.from(lines.join('\n')),
  ]);
}

function groupsOfSevenBits(value: number): number[] {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

if (import.meta.main) {
  const rows = sourceCodes();
  const packed = packPostal(rows);
  const brotli = brotliCompressSync(packed, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: packed.length,
    },
  });
  const file = {
    about: 'US postal codes packed by infra/pack/postal.ts; not to be edited',
    source: 'npm package zipcodes 8.0.0, BSD licence, Copyright (c) 2007, Dav Glass: see the README',
    codes: rows.length,
    brotli: brotli.toString('base64'),
  };
  await writeFile(TARGET, `${JSON.stringify(file, undefined, 1)}\n`);
  console.log(`${rows.length} postal codes: ${packed.length} bytes packed, ${brotli.length} bytes in brotli`);
}
