/** Limits of one transaction of the table. */
export const MAX_TRANSACTION_CHANGES = 100;
export const MAX_TRANSACTION_BYTES = 4_000_000;
/** A request's transaction also holds the saved response of its Idempotency-Key. */
export const MAX_REQUEST_CHANGES = MAX_TRANSACTION_CHANGES - 1;
/** One item of the table, attribute names included. */
export const MAX_ITEM_BYTES = 400_000;
/** Items of one batch write, and of one batch read. */
export const MAX_BATCH_WRITES = 25;
export const MAX_BATCH_READS = 100;
/** Request and response of a Lambda function, each as JSON. */
export const MAX_LAMBDA_BYTES = 6 * 1024 * 1024;
/** The body of a request, unless its operation takes more. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Bytes of a value as JSON in UTF-8: about its size in the table. */
export const jsonByteLength = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** `350,000`. */
export const formatInteger = (value: number): string => value.toLocaleString('en-US');

/** `350,000 bytes`. */
export const formatBytes = (bytes: number): string => `${formatInteger(bytes)} bytes`;

/** Records of a page where the request names no number. */
export const DEFAULT_TAKE = 100;
