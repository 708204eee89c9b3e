/** Limits of one transaction of the table. */
export const MAX_TRANSACTION_CHANGES = 100;
export const MAX_TRANSACTION_BYTES = 4_000_000;
/** Leaves room for the saved response of the Idempotency-Key and for the revision of the configuration. */
export const MAX_REQUEST_CHANGES = MAX_TRANSACTION_CHANGES - 2;
/** The largest item of the table, attribute names included. */
export const MAX_ITEM_BYTES = 400_000;
/** The most items of one batch write, and of one batch read. */
export const MAX_BATCH_WRITES = 25;
export const MAX_BATCH_READS = 100;
/** The largest request or response of a Lambda function, each as JSON. */
export const MAX_LAMBDA_BYTES = 6 * 1024 * 1024;
/** The largest body of a request, unless its operation accepts more. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Records on a page when the request does not say. */
export const DEFAULT_TAKE = 100;
