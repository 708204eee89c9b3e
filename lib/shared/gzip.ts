import zlib from 'node:zlib';

/** A text that is shorter than this window compresses as well in it. */
const SMALL = 4_096;
const smallOptions = { windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Most texts are events of 1 to 2 KB: setting up the default window of 32 KB takes as long as compressing them. */
export const gzipText = (text: string): Uint8Array => zlib.gzipSync(text, text.length < SMALL ? smallOptions : {});

export const gunzipText = (bytes: Uint8Array): string => zlib.gunzipSync(bytes).toString('utf8');

export const unbrotli = (bytes: Uint8Array): Uint8Array => zlib.brotliDecompressSync(bytes);

/**
 * The number of bytes that zlib data (RFC 1950) inflates to; `undefined` if it is damaged, cut off or would come to
 * more than `maxLength`. Uses no more memory than that.
 */
export function inflatedLength(bytes: Uint8Array, maxLength: number): number | undefined {
  try {
    return zlib.inflateSync(bytes, { maxOutputLength: maxLength }).length;
  } catch {
    return undefined;
  }
}
