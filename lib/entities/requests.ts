import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { bytes, flag, listOf, number, opaque, text } from './declaration/fields.ts';

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

/** Where a page of a list ended: entries whose records were gone count too. */
const mark = {
  /** Of the next page. */
  Skip: number({ required: true }),
  /** Of its last entry, in a list in the order of an index. */
  OrderKey: text({ optional: true }),
  /** Entries up to there, in a fixed list; absent where they are as many as records. */
  Position: number({ optional: true }),
};
export type Mark = ObjectOf<typeof mark>;

/** A list that a reader has begun (lib/store/dynamodb/lists/reader-lists.ts). */
export const savedListEntity = entity('Cursor', {
  /** Where its last page ended: the `skip` of the next one. */
  End: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  /** Of a fixed list: its entries. */
  Count: number({ optional: true }),
  /** Of a fixed list: whether records decide which of its entries belong to it. */
  IsCompared: flag({ optional: true }),
  /** The ends of its last pages, the newest last. */
  Marks: listOf(mark, { optional: true }),
});
export type StoredList = RecordOf<typeof savedListEntity>;

/** Ids of a fixed list, 4 bytes each. */
export const savedIdsEntity = entity('Cursor', { Ids: bytes({ required: true }) });
