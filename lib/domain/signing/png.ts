import { PNG } from 'pngjs';
import { inflatedLength } from '../../shared/gzip.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** A chunk is its length, type, data and CRC; all but the data have 4 bytes each. */
const CHUNK_OVERHEAD = 12;
const MAX_PIXELS_PER_SIDE = 10_000;
/** Decoding costs CPU and memory however small the file is: 4 million pixels of 8 bytes take 32 MB and about 0.25 s. */
const MAX_PIXELS = 4_000_000;
/** Values per pixel and their bits, by colour type: grey, RGB, palette, grey and alpha, RGBA (PNG, section 11.2.1). */
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
}

/** All chunks; `undefined` if one of them is cut off. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const end = at + CHUNK_OVERHEAD <= bytes.length ? at + CHUNK_OVERHEAD + bytes.readUInt32BE(at) : Infinity;
    if (end > bytes.length) return undefined;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks;
}

/** Checks the header and then the image data, which is inflated up to the size that the header announces. */
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
  // Interlacing splits the rows, into at most twice as many and 7 more.
  const length = inflatedLength(compressed, 2 * rowLength * (height + 7));
  if (length === undefined) return 'is a PNG whose image data is damaged';
  return !interlace && length < rowLength * height ? 'is a PNG with too little image data' : undefined;
}

/**
 * What is wrong with a PNG, as the end of a sentence that begins with the field; `undefined` if it can be decoded. The
 * size is checked before anything is inflated. pngjs is used in its synchronous form: the other one throws some errors
 * where nobody can catch them. On Node 24 that form does not notice damaged deflate data, and takes whatever the memory
 * holds for rows that are missing, hence `imageError`.
 */
export function pngError(data: Uint8Array): string | undefined {
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
  try {
    PNG.sync.read(bytes);
    return undefined;
  } catch {
    return 'is a damaged PNG';
  }
}
