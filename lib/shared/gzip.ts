/** Loaded where something is compressed: at the start of every function it would cost a millisecond. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** A text, compressed. */
export const gzipped = (text: string): Uint8Array => zlib().gzipSync(text);

/** The text again. */
export const gunzipped = (bytes: Uint8Array): string => zlib().gunzipSync(bytes).toString('utf8');
