import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';

// One gzip stream (RFC 1952) that any process can continue: header, chunks, trailer. Browsers, wget and httpx read only
// the first of several gzip members, and report success.

const deflate = promisify(deflateRaw);

/** Deflate, no name, no time, the fastest level, unknown system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);

/**
 * Deflate blocks that end at a whole byte and refer to no byte before them, so that further blocks can follow
 * unchanged.
 */
export const compressChunk = (bytes: Uint8Array): Promise<Uint8Array> =>
  deflate(bytes, { level: 1, finishFlush: constants.Z_SYNC_FLUSH });

/** The last, empty block, then CRC-32 and length of everything compressed. */
export function gzipTrailer(crc: number, bytes: number): Uint8Array {
  const trailer = Buffer.from([0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]);
  trailer.writeUInt32LE(crc, 2);
  trailer.writeUInt32LE(bytes % 2 ** 32, 6);
  return trailer;
}
