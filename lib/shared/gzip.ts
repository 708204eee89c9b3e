/** Loaded on first use: it costs a millisecond of a cold start. */
const zlib = () => process.getBuiltinModule('node:zlib');

export const gzipText = (text: string): Uint8Array => zlib().gzipSync(text);

export const gunzipText = (bytes: Uint8Array): string => zlib().gunzipSync(bytes).toString('utf8');

/**
 * Whether zlib data (RFC 1950) is complete and inflates to at most `maxLength` bytes; uses no more memory than that.
 */
export function canInflate(bytes: Uint8Array, maxLength: number): boolean {
  try {
    zlib().inflateSync(bytes, { maxOutputLength: maxLength });
    return true;
  } catch {
    return false;
  }
}
