import { formatInteger } from '../../shared/text/text.ts';
/** Bytes of all files of one call: as base64, in which API Gateway passes a form, they just fit an event of Lambda. */
export const MAX_UPLOAD_BYTES = 4_500_000;
/** Bytes of a body: the files in base64, and the form. */
export const MAX_UPLOAD_BODY = 6_150_000;
/** Files of one call. */
export const MAX_UPLOAD_FILES = 20;
/** Bytes of a file that its sender puts into the bucket. */
export const MAX_SENT_BYTES = 100 * 1024 * 1024;
/** Bytes of a file that a function answers itself: a response of Lambda holds 6 MB, and base64 takes a third. */
export const MAX_DIRECT_BYTES = 4_000_000;
/** Bytes that a key, and all keys of an account, may announce in a day (UTC). */
export const MAX_ANNOUNCED_BYTES = { key: 10 * 1024 ** 3, account: 50 * 1024 ** 3 } as const;

const formatted = (bytes: number): string => formatInteger(bytes);

export const describeUploadLimit =
  `One call takes files of ${formatted(MAX_UPLOAD_BYTES)} bytes together. For larger ones, send Size instead of ` +
  `Content: UploadUrls returns an address for each file of up to ${formatted(MAX_SENT_BYTES)} bytes.`;
