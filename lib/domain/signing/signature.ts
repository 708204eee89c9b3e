/** Characters of SignatureData, and bytes of the picture in it. */
export const MAX_SIGNATURE_BYTES = 256 * 1024;

/** The picture of a signature, as it is stored. */
export interface Signature {
  readonly type: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array;
}

/** `message` is the end of a sentence that begins with the field. */
export type SignatureResult =
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'refused'; readonly message: string };

const FORMS = 'must be a PNG or SVG: data:image/png;base64,…, data:image/svg+xml,… or the base64 of a PNG';

const refused = (message: string): SignatureResult => ({ kind: 'refused', message });

/** Ignores white space and missing padding; `undefined` if the text is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Reads percent-encoding as in a URL; a `%` without two digits stands for itself, as in `width="100%"`. */
function fromPercentEncoding(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const decoded: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const pair = bytes[at] === 0x25 ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : '';
    const isEncoded = /^[\da-f]{2}$/i.test(pair);
    decoded.push(isEncoded ? Number.parseInt(pair, 16) : (bytes[at] ?? 0));
    if (isEncoded) at += 2;
  }
  return Uint8Array.from(decoded);
}

async function svgBytesError(bytes: Uint8Array): Promise<string | undefined> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'is an SVG that is not UTF-8';
  }
  const { svgError } = await import('./svg.ts');
  return svgError(text);
}

/** The parsers are loaded with the first signature: no other call pays for them. */
async function readPicture(type: Signature['type'], bytes: Uint8Array): Promise<SignatureResult> {
  const error = type === 'image/png' ? (await import('./png.ts')).pngError(bytes) : await svgBytesError(bytes);
  return error ? refused(error) : { kind: 'signature', signature: { type, bytes } };
}

async function readDataUri(head: string, body: string): Promise<SignatureResult> {
  const [type = '', ...parameters] = head
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isBase64 = parameters.at(-1) === 'base64';
  if (type !== 'image/png' && type !== 'image/svg+xml') return refused(`${FORMS}; this is ${JSON.stringify(type)}`);
  if (type === 'image/png' && !isBase64) return refused('must be base64 if it is a PNG: data:image/png;base64,…');
  const bytes = isBase64 ? fromBase64(body) : fromPercentEncoding(body);
  if (!bytes) return refused('is not base64 after its comma');
  if (bytes.length > MAX_SIGNATURE_BYTES)
    return refused(`is a picture of ${bytes.length} bytes; the maximum is ${MAX_SIGNATURE_BYTES}`);
  return readPicture(type, bytes);
}

/**
 * The picture in SignatureData: a data URI of a PNG (base64) or SVG (base64, or percent-encoded UTF-8), or the bare
 * base64 of a PNG (interface, section 7). Its bytes must be of the type that they claim.
 */
export async function readSignature(text: string): Promise<SignatureResult> {
  if (text.length > MAX_SIGNATURE_BYTES) return refused(`must have at most ${MAX_SIGNATURE_BYTES} characters`);
  const input = text.trim();
  const [, head, body] = /^data:([^,]{0,200}),(.*)$/is.exec(input) ?? [];
  if (head !== undefined && body !== undefined) return readDataUri(head, body);
  const bytes = fromBase64(input);
  return bytes && String.fromCharCode(...bytes.subarray(1, 4)) === 'PNG'
    ? readPicture('image/png', bytes)
    : refused(FORMS);
}
