/** Characters and UTF-8 bytes of a name; file systems take 255 bytes. */
const MAX_BYTES = 200;

/** Line breaks, NUL and other controls, marks that turn the direction of writing, and invisible signs. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const RESERVED_CHARACTERS = /[<>:"|?*]/g;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(\.|$)/i;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The first characters of a text that have at most so many bytes as UTF-8. */
function cutToBytes(text: string, max: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > max) break;
    cut += character;
  }
  return cut;
}

/** `pdf` of `plan.pdf`, in lower case; `""` without one. */
export const extensionOf = (filename: string): string => /\.([^.\s]{1,20})$/.exec(filename)?.[1]?.toLowerCase() ?? '';

/**
 * A name that every file system takes and that shows as what it is: without folders, control characters, marks of
 * direction and names of devices. A name of which nothing remains becomes `file`.
 */
export function cleanFilename(name: string): string {
  const last = name.toWellFormed().replaceAll('\ufffd', '_').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(RESERVED_CHARACTERS, '_')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(clean) ? `_${clean}` : clean || 'file';
  if (bytesOf(safe) <= MAX_BYTES) return safe;
  const extension = extensionOf(safe);
  const end = extension ? safe.slice(-extension.length - 1) : '';
  return `${cutToBytes(safe.slice(0, safe.length - end.length), MAX_BYTES - bytesOf(end)).trimEnd()}${end}`;
}
