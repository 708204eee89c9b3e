/** Everything but letters, digits and these is percent-encoded (RFC 8187). */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*!~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Content-Disposition of a download: the name in ASCII for old programs, and as it is for all others. */
export const contentDisposition = (filename: string): string =>
  `attachment; filename="${filename.replaceAll(/[^ -~]|["\\%]/g, '_')}"; filename*=UTF-8''${encoded(filename)}`;
