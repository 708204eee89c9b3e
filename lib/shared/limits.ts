/** Limits of one transaction of the table. */
export const MAX_TRANSACTION_CHANGES = 100;
export const MAX_TRANSACTION_BYTES = 4_000_000;
/** A request's transaction also holds the saved response of its Idempotency-Key, and the configuration's revision. */
export const MAX_REQUEST_CHANGES = MAX_TRANSACTION_CHANGES - 2;
/** One item of the table, attribute names included. */
export const MAX_ITEM_BYTES = 400_000;
/** Items of one batch write, and of one batch read. */
export const MAX_BATCH_WRITES = 25;
export const MAX_BATCH_READS = 100;
/** Request and response of a Lambda function, each as JSON. */
export const MAX_LAMBDA_BYTES = 6 * 1024 * 1024;
/** The body of a request, unless its operation takes more. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Records of a page where the request names no number. */
export const DEFAULT_TAKE = 100;
