import zlib from 'node:zlib';

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
