import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 248 = 4 × 62: bytes above it are thrown away, or the first characters would come up more often. */
const FAIR = 248;

/** `length` unguessable base62 characters (22 of them hold 131 bits). */
export function randomHandle(length: number): string {
  let handle = '';
  while (handle.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR && handle.length < length) handle += BASE62[byte % 62];
    }
  }
  return handle;
}
