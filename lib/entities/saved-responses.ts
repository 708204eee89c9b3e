import { type RecordOf, entity } from './entity.ts';
import { flag, number, object, opaque, optional, text, word } from './fields.ts';

/**
 * Stands beside a response that is saved before its effect, which is the put of one record: the response counts once
 * the record has the mark of this attempt, or when the response is confirmed because that mark was dropped.
 */
const pending = {
  /** The key of the record. */
  Record: object({ PK: text({ required: true }), SK: text({ required: true }) }),
  /** The version that the put makes; 1 creates the record. */
  Version: number(),
  Attempt: text(),
  Confirmed: flag(),
};

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export const savedResponseEntity = entity('Idempotency', {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  Fingerprint: text({ required: true }),
  Status: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  /** In its form (lib/store/requests/packed-responses.ts); a text is the body itself. */
  Body: opaque<string | Uint8Array>(),
  Form: word(['gzip', 'dictionary', 'brotli', 'request', 'columns'], { optional: true }),
  ...optional(pending),
});
export type StoredResponse = RecordOf<typeof savedResponseEntity>;

/** Of a response that is saved before its effect. */
export type PendingResponse = Required<Pick<StoredResponse, 'Record' | 'Version' | 'Attempt'>>;
