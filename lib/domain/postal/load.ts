import { type Postal, parsePostalData } from './localities.ts';
import type { Position } from './miles.ts';

let loading: Promise<Postal> | undefined;

/**
 * The US postal codes, unpacked on first use. The data is a JSON module (base64 of brotli), which any bundler finds.
 * Bundles that need it have it as a file beside them, where it costs a cold start nothing.
 */
export function loadPostalData(): Promise<Postal> {
  loading ??= import('./postal-data.json', { with: { type: 'json' } }).then(({ default: data }) =>
    parsePostalData(process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from(data.brotli, 'base64'))),
  );
  return loading;
}

/** The centre of a postal code, null for an unknown one. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}
