import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** A chunk consists of length, type, data and CRC; all but the data have 4 bytes each. */
const CHUNK_OVERHEAD = 12;
const MAX_PIXELS_PER_SIDE = 10_000;
/** Decoding takes CPU and memory however small the file is: about 0.1 s for a picture of this size. */
const MAX_PIXELS = 4_000_000;
const MAX_DECODED_BYTES = 10_000_000;
/** Values per pixel and their bits, by color type: grey, RGB, palette, grey and alpha, RGBA (PNG, section 11.2.1). */
const FORMATS: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** Includes its length, type and CRC. */
  readonly whole: Buffer;
}

/** All chunks; `undefined` if one of them is truncated. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const end = at + CHUNK_OVERHEAD <= bytes.length ? at + CHUNK_OVERHEAD + bytes.readUInt32BE(at) : Infinity;
    if (end > bytes.length) return undefined;
    const [type, whole] = [bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at, end)];
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole });
    at = end;
  }
  return chunks;
}

/**
 * The number of bytes that zlib data (RFC 1950) inflates to; `undefined` if it is damaged, truncated or longer than
 * `maxLength`. Uses no more memory than that.
 */
function inflatedLength(bytes: Uint8Array, maxLength: number): number | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: maxLength }).length;
  } catch {
    return undefined;
  }
}

/** Checks the header, then the image data, which is inflated up to the size that the header announces. */
function imageError(header: Buffer, compressed: Buffer): string | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, , , interlace = 0] = header.subarray(8);
  const size = `${width} × ${height} pixels`;
  if (!width || !height) return `is a PNG of ${size}`;
  if (Math.max(width, height) > MAX_PIXELS_PER_SIDE)
    return `is a PNG of ${size}; the maximum is ${MAX_PIXELS_PER_SIDE} per side`;
  if (width * height > MAX_PIXELS) return `is a PNG of ${size}; the maximum is ${MAX_PIXELS} pixels`;
  const format = FORMATS[colour];
  if (!format?.depths.includes(depth))
    return `is a PNG of colour type ${colour} and bit depth ${depth}, which PNG does not define`;
  const rowLength = Math.ceil((width * format.channels * depth) / 8) + 1;
  if (rowLength * height > MAX_DECODED_BYTES)
    return `is a PNG of ${size} and ${rowLength * height} bytes when decoded; the maximum is ${MAX_DECODED_BYTES}`;
  // Interlacing splits the rows into at most twice as many, plus 7.
  const length = inflatedLength(compressed, 2 * rowLength * (height + 7));
  if (length === undefined) return 'is a PNG whose image data is damaged';
  return !interlace && length < rowLength * height ? 'is a PNG with too little image data' : undefined;
}

/**
 * A PNG that can be decoded and draws something, reduced to what it requires; or what is wrong with it, as the end of a
 * sentence that begins with the field. The size is checked before anything is inflated. pngjs is used in its
 * synchronous form, because the asynchronous one throws some errors that nobody can catch. On Node 24 that form does
 * not notice damaged deflate data, and fills missing rows with arbitrary memory, hence `imageError`.
 */
export function readPng(data: Uint8Array): Uint8Array | string {
  if (!SIGNATURE.every((byte, index) => data[index] === byte)) return 'is not a PNG: its first bytes are wrong';
  const bytes = Buffer.from(data);
  const chunks = readChunks(bytes);
  if (chunks?.at(-1)?.type !== 'IEND') return 'is a PNG that does not end with its IEND chunk';
  if (!chunks.every(({ type }) => /^[A-Za-z]{4}$/.test(type))) return 'is a PNG with a chunk of invalid type';
  const [first, ...others] = chunks;
  if (first?.type !== 'IHDR' || first.data.length !== 13 || others.some(({ type }) => type === 'IHDR'))
    return 'is a PNG without exactly one header (IHDR)';
  const image = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  if (!image.length) return 'is a PNG without image data (IDAT)';
  const error = imageError(first.data, Buffer.concat(image));
  if (error) return error;
  const kept = Buffer.concat([
    bytes.subarray(0, SIGNATURE.length),
    ...chunks.filter(isDrawn).map(({ whole }) => whole),
  ]);
  try {
    if (!isVisible(PNG.sync.read(kept).data)) return 'is a PNG that draws nothing: all of it is transparent';
    return new Uint8Array(kept);
  } catch {
    return 'is a damaged PNG';
  }
}

/** Chunks that a picture requires; the others, whose type begins with a lower-case letter, may hold anything. */
const isDrawn = ({ type }: Chunk): boolean => /^[A-Z]/.test(type) || type === 'tRNS';

/** Whether any pixel of RGBA is not transparent. */
function isVisible(pixels: Uint8Array): boolean {
  for (let alpha = 3; alpha < pixels.length; alpha += 4) if (pixels[alpha]) return true;
  return false;
}
