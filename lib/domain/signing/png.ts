const MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length, type and CRC of a chunk, 4 bytes each. */
const AROUND = 12;
const MAX_PIXELS_A_SIDE = 10_000;
/** Who looks at the signature decodes all of them: 16 million are 128 MB at most, of 256 KB that deflate to nothing. */
const MAX_PIXELS = 16_000_000;
/** Bit depths by colour type: grey, RGB, palette, grey and alpha, RGB and alpha (PNG, section 11.2.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 as PNG computes it: `IEND` is 0xAE426082. */
function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
  readonly end: number;
}

/** The chunk at a place; a text says what is wrong with it. */
function chunkAt(bytes: Uint8Array, at: number): Chunk | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + AROUND > bytes.length) return 'is a PNG that ends before its end (IEND)';
  const length = view.getUint32(at);
  const end = at + AROUND + length;
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  if (!/^[A-Za-z]{4}$/.test(type)) return 'is a PNG with a chunk that has no name';
  if (end > bytes.length) return `is a PNG that ends within its chunk ${type}`;
  if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4))
    return `is a PNG whose chunk ${type} is damaged: its CRC is another`;
  return { type, data: bytes.subarray(at + 8, end - 4), end };
}

function headerFault({ type, data }: Chunk): string | undefined {
  if (type !== 'IHDR' || data.length !== 13) return 'is a PNG without a header (IHDR)';
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, colour = 0, compression = 0, filter = 0, interlace = 0] = data.subarray(8);
  if (!width || !height) return `is a PNG of ${width} × ${height} pixels`;
  if (Math.max(width, height) > MAX_PIXELS_A_SIDE)
    return `is a PNG of ${width} × ${height} pixels; a side may have ${MAX_PIXELS_A_SIDE}`;
  if (width * height > MAX_PIXELS) return `is a PNG of ${width} × ${height} pixels; it may have ${MAX_PIXELS}`;
  const known = DEPTHS[colour]?.includes(depth) && compression === 0 && filter === 0 && interlace <= 1;
  return known ? undefined : 'is a PNG of a form that PNG does not have';
}

/**
 * Whether image data begins as deflated data does: method 8, and two bytes that are a multiple of 31 (RFC 1950, section
 * 2.2). The first of the chunks may be empty or hold the first byte alone, which says as much.
 */
const isDeflated = ([first = 8, second]: Uint8Array): boolean =>
  (first & 15) === 8 && (second === undefined || (first * 256 + second) % 31 === 0);

/** Whether bytes begin as every PNG does. */
export const hasPngSignature = (bytes: Uint8Array): boolean => MAGIC.every((byte, place) => bytes[place] === byte);

/**
 * What is wrong with the structure of a PNG, after the name of the field; `undefined` when it is whole: header of a
 * sane size, chunks with their CRC, deflated image data, an end, and nothing behind it. What is drawn is not decoded.
 */
export function pngError(bytes: Uint8Array): string | undefined {
  if (!hasPngSignature(bytes)) return 'is no PNG: it does not begin as one';
  const types = new Set<string>();
  let at = MAGIC.length;
  while (!types.has('IEND')) {
    const chunk = chunkAt(bytes, at);
    if (typeof chunk === 'string') return chunk;
    const fault = types.size ? undefined : headerFault(chunk);
    if (fault) return fault;
    if (types.size && chunk.type === 'IHDR') return 'is a PNG with two headers';
    if (chunk.type === 'IDAT' && !types.has('IDAT') && !isDeflated(chunk.data))
      return 'is a PNG whose image data (IDAT) is not deflated';
    types.add(chunk.type);
    at = chunk.end;
  }
  if (at < bytes.length) return 'is a PNG with something behind its end';
  return types.has('IDAT') ? undefined : 'is a PNG without image data (IDAT)';
}
