/**
 * Stands in for what signatures do not need: the parts of `pngjs` that write pictures and read them from a stream
 * (12 KB), and the characters of XML 1.1 of `saxes` (lib/domain/signing/svg.ts forces version 1.0). Also for forms of
 * the type application/x-www-form-urlencoded of `busboy` (5 KB), which no operation takes.
 */
export const unused = true;
