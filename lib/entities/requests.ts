import { type RecordOf, entity } from './declaration/entity.ts';
import { type ObjectOf, bytes, listOf, number, opaque, text } from './declaration/fields.ts';

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export const savedResponseEntity = entity('Idempotency', {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  Fingerprint: text({ required: true }),
  Status: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  Body: opaque<string | Uint8Array>(),
  /** Of the body: `json`, or `gzip` for JSON that is compressed. Another one, or none, is of version 0.2 or earlier. */
  Form: text({ optional: true }),
});
export type StoredResponse = RecordOf<typeof savedResponseEntity>;

/** Where a page of a list without a number ended. */
const mark = {
  Skip: number({ required: true }),
  /** Of the last entry before `Skip`; absent at the beginning of the list. */
  OrderKey: text({ optional: true }),
};
export type Mark = ObjectOf<typeof mark>;

/** A list that a reader has begun (lib/store/dynamodb/lists/reader-lists.ts). */
export const savedListEntity = entity('Cursor', {
  /** Where its last page ended: the `skip` of the next one. */
  End: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  /** Of a list with a number: of its ids. */
  Count: number({ optional: true }),
  /** Of a list without a number: the ends of its last pages, the newest last. */
  Marks: listOf(mark, { optional: true }),
  /** Of a record of its last page, on average. */
  RecordBytes: number({ optional: true }),
});
export type StoredList = RecordOf<typeof savedListEntity>;

/** Ids of such a list, 4 bytes each. */
export const savedIdsEntity = entity('Cursor', { Ids: bytes({ required: true }) });
