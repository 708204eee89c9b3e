import { fileTypeFromBuffer } from 'file-type';

/** Determines the type of a file from its content, and its name. */

/** The type of a file by its content; `refused` says why it cannot be stored. */
export type Inspection =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'accepted';
      readonly Filename: string;
      readonly ContentType: string;
      readonly IsPicture: boolean;
      readonly Width: number;
      readonly Height: number;
    };

/**
 * How many bytes at the start of a file are inspected for its type and size. More would make a hostile file more
 * expensive.
 */
export const MAX_INSPECTED_BYTES = 512 * 1024;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Extensions that some system runs when they are opened. */
const EXECUTABLE_EXTENSIONS = words(`
  apk app application appref-ms appx bash bat cmd com command cpl crx csh deb desktop dll dmg elf exe gadget hta inf ins
  ipa isp iso jar jnlp js jse ksh lib lnk mjs mpkg msc msh msh1 msh2 mshxml msi msix msp mst ocx out php phtml pif pkg
  pl ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psm1 py pyc pyw rb reg rpm run scf scr sct settingcontent-ms sh shb shs so sys
  url vb vbe vbs war wasm workflow ws wsc wsf wsh xll xpi zsh
`);
const MARKUP_EXTENSIONS = words('htm html hta mht mhtml shtml svg svgz xht xhtml xsl xslt');

/** Content types that some system runs, by their names in `file-type`. */
const EXECUTABLE_TYPES = words(`
  application/java-archive application/java-vm application/vnd.android.package-archive application/vnd.ms-htmlhelp
  application/wasm application/x-apple-diskimage application/x-asar application/x-deb application/x-elf
  application/x-ft-apple.alias application/x-google-chrome-extension application/x-iso9660-image
  application/x-mach-binary application/x-ms-regedit application/x-ms-shortcut application/x-msdownload
  application/x-rpm application/x-shockwave-flash application/x-unix-archive application/x-xpinstall
`);

const EXECUTABLE_STARTS: readonly (readonly number[])[] = [
  [0x4d, 0x5a],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x23, 0x21],
  [0x64, 0x65, 0x78, 0x0a],
  [0x00, 0x61, 0x73, 0x6d],
  [0x4c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00],
  [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e],
  [0xfe, 0xed, 0xfa, 0xce],
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
];

const isExecutable = (head: Uint8Array): boolean =>
  EXECUTABLE_STARTS.some((start) => start.every((byte, index) => head[index] === byte));

/** HTML and SVG elements, also with a namespace. */
const MARKUP = /<(\w+:)?(!doctype\s+(html|svg)|html|head|body|script|iframe|object|embed|svg|style|meta|link|img)\b/i;
const MARKUP_BYTES = 8 * 1024;

/** Whether a file begins with markup and contains such elements; in UTF-16 there is a NUL beside each letter. */
function isMarkup(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, MARKUP_BYTES)).replaceAll('\0', '');
  return /^(\u00ff\u00fe|\u00fe\u00ff|\u00ef\u00bb\u00bf)?\s*</.test(text) && MARKUP.test(text);
}

/** Pictures with their size in the header. */
const SIZED = words('image/jpeg image/png image/apng image/gif image/webp');
/** Pictures of phones and scanners, listed without a size. */
const UNSIZED = words('image/heic image/heif image/avif image/tiff image/bmp');
/** No camera produces a longer edge, and no other program should allocate one. */
const MAX_EDGE = 65_535;

const UNKNOWN = 'application/octet-stream';

/** The size in pixels as the picture is displayed; `undefined` if the header makes no sense. */
async function pictureSize(
  head: Uint8Array,
  contentType: string,
): Promise<{ width: number; height: number } | undefined> {
  const [jpg, png, gif, webp] = await Promise.all([
    import('image-size/types/jpg'),
    import('image-size/types/png'),
    import('image-size/types/gif'),
    import('image-size/types/webp'),
  ]);
  const readers = {
    'image/jpeg': jpg.JPG,
    'image/png': png.PNG,
    'image/apng': png.PNG,
    'image/gif': gif.GIF,
    'image/webp': webp.WEBP,
  };
  const reader = readers[contentType as keyof typeof readers];
  try {
    if (!reader.validate(head)) return undefined;
    const { width, height, orientation = 1 } = reader.calculate(head);
    const isEdge = (edge: number) => Number.isInteger(edge) && edge > 0 && edge <= MAX_EDGE;
    if (!isEdge(width) || !isEdge(height)) return undefined;
    // From 5 on, EXIF rotates the picture by 90°.
    return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

async function typeOf(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.mime;
  } catch {
    return undefined;
  }
}

/** Tab, line breaks, form feed and escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Whether a file is UTF-8 text, which may be cut within its last character. */
function isText(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !head.some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte));
  } catch {
    return false;
  }
}

const PROGRAM = 'is a program or script';
const PAGE = 'is HTML or SVG';

/** Why a file with this name may not be stored, whatever it contains. */
export function refusedName(name: string): string | undefined {
  const extension = extensionOf(cleanFilename(name));
  if (MARKUP_EXTENSIONS.has(extension)) return PAGE;
  return EXECUTABLE_EXTENSIONS.has(extension) ? PROGRAM : undefined;
}

function refusedStart(head: Uint8Array): string | undefined {
  if (!head.length) return 'is empty';
  if (isMarkup(head)) return PAGE;
  return isExecutable(head) ? PROGRAM : undefined;
}

/**
 * Inspects a file by its name and the start of its content; the type that the sender claims is ignored. A picture with
 * a broken header is a document of unknown type.
 */
export async function inspectFile(name: string, content: Uint8Array): Promise<Inspection> {
  const Filename = cleanFilename(name);
  const head = content.subarray(0, MAX_INSPECTED_BYTES);
  const reason = refusedName(name) ?? refusedStart(head);
  if (reason) return { kind: 'refused', reason };
  const type = await typeOf(head);
  if (type !== undefined && EXECUTABLE_TYPES.has(type)) return { kind: 'refused', reason: PROGRAM };
  const document = { kind: 'accepted', Filename, IsPicture: false, Width: 0, Height: 0 } as const;
  if (type === undefined) return { ...document, ContentType: isText(head) ? 'text/plain; charset=utf-8' : UNKNOWN };
  if (UNSIZED.has(type)) return { ...document, ContentType: type, IsPicture: true };
  if (!SIZED.has(type)) return { ...document, ContentType: isActive(type) ? UNKNOWN : type };
  const size = await pictureSize(head, type);
  if (!size) return { ...document, ContentType: UNKNOWN };
  return { ...document, ContentType: type, IsPicture: true, Width: size.width, Height: size.height };
}

/** Types that a program might open as a page if it ignored how the file is served. */
const isActive = (type: string): boolean => /html|javascript|(^|[/+])xml$/.test(type);

/** The most characters and UTF-8 bytes of a name; file systems allow 255 bytes. */
const MAX_BYTES = 200;

/** Line breaks, NUL and other controls, bidirectional marks, and invisible characters. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const RESERVED_CHARACTERS = /[<>:"|?*]/g;
/** Device names on Windows, also with an extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(\.|$)/i;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a text to whole characters within `max` bytes of UTF-8. */
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

/** `pdf` for `plan.pdf`, in lower case; `""` without an extension. */
const extensionOf = (filename: string): string => /\.([^.\s]{1,20})$/.exec(filename)?.[1]?.toLowerCase() ?? '';

/**
 * A name that every file system accepts and that is what it looks like: without folders, control characters,
 * bidirectional marks and device names. A name of which nothing is left becomes `file`.
 */
function cleanFilename(name: string): string {
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
