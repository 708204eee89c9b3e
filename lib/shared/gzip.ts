/** Loaded where something is compressed: at the start of every function it would cost a millisecond. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** A text, compressed. */
export const gzipText = (text: string): Uint8Array => zlib().gzipSync(text);

/** The text again. */
export const gunzipText = (bytes: Uint8Array): string => zlib().gunzipSync(bytes).toString('utf8');

/** Whether zlib data (RFC 1950) is whole and inflates to at most `maxLength` bytes; no more memory than that is used. */
export function canInflate(bytes: Uint8Array, maxLength: number): boolean {
  try {
    zlib().inflateSync(bytes, { maxOutputLength: maxLength });
    return true;
  } catch {
    return false;
  }
}
