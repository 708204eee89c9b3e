import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { bytes, flag, listOf, number, opaque, text } from './declaration/fields.ts';

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export const savedResponseEntity = entity('Idempotency', {
  /** SHA-256 of operation and body; the same key with another body is an error. */
  Fingerprint: text({ required: true }),
  Status: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  Body: opaque<string | Uint8Array>(),
  /**
   * Format of the body: `json`, or `gzip` for compressed JSON. Others are of another version.
   */
  Form: text({ optional: true }),
});
export type StoredResponse = RecordOf<typeof savedResponseEntity>;

/** Where a page of a list ended; entries whose records are gone count too. */
const mark = {
  /** Skip of the next page. */
  Skip: number({ required: true }),
  /** Key of the last entry, in a list in index order. */
  OrderKey: text({ optional: true }),
  /** Number of entries up to there in a fixed list; absent if it equals the number of records. */
  Position: number({ optional: true }),
};
export type Mark = ObjectOf<typeof mark>;

/** A list that a reader has started (lib/store/dynamodb/lists/reader-lists.ts). */
export const savedListEntity = entity('Cursor', {
  /** The end of the last page, which is the `skip` of the next one. */
  End: number({ required: true }),
  /** Seconds since 1970. */
  TTL: number({ required: true }),
  /** Number of entries of a fixed list. */
  Count: number({ optional: true }),
  /** Whether the records decide which entries of a fixed list belong to it. */
  IsCompared: flag({ optional: true }),
  /** The ends of the last pages, newest last. */
  Marks: listOf(mark, { optional: true }),
});
export type StoredList = RecordOf<typeof savedListEntity>;

/** Ids of a fixed list, 4 bytes each. */
export const savedIdsEntity = entity('Cursor', { Ids: bytes({ required: true }) });
