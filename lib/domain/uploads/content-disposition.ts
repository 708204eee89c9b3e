/** Percent-encodes everything except letters, digits and a few signs (RFC 8187). */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*!~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The Content-Disposition of a download: an ASCII name for old programs, the real name for all others. */
export const contentDisposition = (filename: string): string =>
  `attachment; filename="${filename.replaceAll(/[^ -~]|["\\%]/g, '_')}"; filename*=UTF-8''${encoded(filename)}`;
