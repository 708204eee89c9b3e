import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}

export const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The header of a grey picture, or of one that no PNG can be. */
export function pngHeader({
  width = 3,
  height = 2,
  depth = 8,
  colour = 0,
  compression = 0,
  interlace = 0,
} = {}): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, compression, 0, interlace], 8);
  return pngChunk('IHDR', data);
}

/** The pixels of a grey picture of 3 × 2. */
export const pngPixels = pngChunk('IDAT', deflateSync(Buffer.from([0, 0, 255, 0, 0, 255, 0, 255])));
export const pngEnd = pngChunk('IEND');

/** A complete PNG file. */
export const somePng = Buffer.concat([pngMagic, pngHeader(), pngPixels, pngEnd]);

/** A stroke, as signature pads export it. */
export const someSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 80" width="100%" height="80">' +
  '<path d="M 10 40 C 60 5, 90 70, 140 35" stroke="#000" stroke-width="2.5" fill="none" stroke-linecap="round"/></svg>';

/** SignatureData of each form. */
export const pngUri = `data:image/png;base64,${somePng.toString('base64')}`;
export const svgUri = `data:image/svg+xml;utf8,${encodeURIComponent(someSvg)}`;
