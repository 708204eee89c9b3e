import { formatInteger } from '../../shared/text/text.ts';
/**
 * The most bytes of all files in one call: in base64, in which API Gateway passes a form, they just fit in a Lambda
 * event.
 */
export const MAX_UPLOAD_BYTES = 4_500_000;
/** The most bytes of a body: the files in base64, and the form. */
export const MAX_UPLOAD_BODY = 6_150_000;
/** The most files of one call. */
export const MAX_UPLOAD_FILES = 20;
/** The most bytes of a file that its sender puts into the bucket directly. */
export const MAX_SENT_BYTES = 100 * 1024 * 1024;
/**
 * The most bytes of a file that a function returns itself: a Lambda response has at most 6 MB, of which base64 takes a
 * third.
 */
export const MAX_DIRECT_BYTES = 4_000_000;
/** The bytes that a key, and all keys of an account together, may announce per day (UTC). */
export const MAX_ANNOUNCED_BYTES = { key: 10 * 1024 ** 3, account: 50 * 1024 ** 3 } as const;

const formatted = (bytes: number): string => formatInteger(bytes);

export const describeUploadLimit =
  `One call takes files of ${formatted(MAX_UPLOAD_BYTES)} bytes together. For larger ones, send Size instead of ` +
  `Content: UploadUrls returns an address for each file of up to ${formatted(MAX_SENT_BYTES)} bytes.`;
