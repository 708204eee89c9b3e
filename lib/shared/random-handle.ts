import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 4 × 62. Larger bytes are skipped: they would make the first characters more frequent. */
const FAIR_LIMIT = 248;

/** Unguessable base62 characters; 22 of them have 131 bits. */
export function randomHandle(length: number): string {
  let handle = '';
  while (handle.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_LIMIT && handle.length < length) handle += BASE62[byte % 62];
    }
  }
  return handle;
}
