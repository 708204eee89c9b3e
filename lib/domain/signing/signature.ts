import { hasPngSignature, pngError } from './png.ts';
import { svgError } from './svg.ts';

/** Characters of SignatureData, and bytes of the picture in it. */
export const MAX_SIGNATURE_BYTES = 256 * 1024;

/** The picture of a signature, as it is kept. */
export interface Signature {
  readonly type: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array;
}

/** A refusal reads on after the name of the field. */
export type ReadSignature =
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'refused'; readonly message: string };

const FORMS = 'must be a PNG or SVG: data:image/png;base64,…, data:image/svg+xml,… or the base64 of a PNG';

const refused = (message: string): ReadSignature => ({ kind: 'refused', message });

/** White space within is passed over, and padding may be missing; `undefined` where it is no base64. */
function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** As percent-encoding in a URL is read: what is none stands for itself, as the `%` of `width="100%"`. */
function fromPercents(text: string): Uint8Array {
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

function readPng(bytes: Uint8Array): ReadSignature {
  const fault = pngError(bytes);
  return fault ? refused(fault) : { kind: 'signature', signature: { type: 'image/png', bytes } };
}

function readSvg(bytes: Uint8Array): ReadSignature {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('is an SVG that is not UTF-8');
  }
  const fault = svgError(text);
  return fault ? refused(fault) : { kind: 'signature', signature: { type: 'image/svg+xml', bytes } };
}

function readDataUri(head: string, body: string): ReadSignature {
  const [type = '', ...parameters] = head
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isBase64 = parameters.at(-1) === 'base64';
  if (type !== 'image/png' && type !== 'image/svg+xml') return refused(`${FORMS}; this is ${JSON.stringify(type)}`);
  if (type === 'image/png' && !isBase64) return refused('must be base64 where it is a PNG: data:image/png;base64,…');
  const bytes = isBase64 ? fromBase64(body) : fromPercents(body);
  if (!bytes) return refused('is not base64 behind its comma');
  if (bytes.length > MAX_SIGNATURE_BYTES)
    return refused(`is a picture of ${bytes.length} bytes; it may have ${MAX_SIGNATURE_BYTES}`);
  return type === 'image/png' ? readPng(bytes) : readSvg(bytes);
}

/**
 * The picture in SignatureData: a data URI of a PNG (base64) or SVG (base64, or percent-encoded UTF-8), or the bare
 * base64 of a PNG (interface, section 7). What it is, is found out from its bytes.
 */
export function readSignature(text: string): ReadSignature {
  if (text.length > MAX_SIGNATURE_BYTES) return refused(`must have at most ${MAX_SIGNATURE_BYTES} characters`);
  const input = text.trim();
  const [, head, body] = /^data:([^,]{0,200}),(.*)$/is.exec(input) ?? [];
  if (head !== undefined && body !== undefined) return readDataUri(head, body);
  const bytes = fromBase64(input);
  return bytes && hasPngSignature(bytes) ? readPng(bytes) : refused(FORMS);
}
