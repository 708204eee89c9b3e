/**
 * Stands in for the parts of `pngjs` that write pictures and read them from a stream, 12 KB: signatures are only read,
 * at once (lib/domain/signing/png.ts).
 */
export const unused = true;
