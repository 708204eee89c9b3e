import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, object, properties, text, texts, word } from './declaration/fields.ts';

/** A file as far as it is written: the parts of its multipart upload, by their entity tags. */
const writtenParts = { UploadId: text(), Tags: texts() };
export type WrittenParts = ObjectOf<typeof writtenParts>;

/** Where the making of a download continues. */
const progress = {
  /** Rows written. */
  Records: number(),
  /** The last id that is done; the ids through `Last` belong to the download. */
  Position: number(),
  Last: number(),
  /** Bytes of the file, uncompressed. */
  Bytes: number(),
  GzipBytes: number(),
  /** State of the running SHA-256 and CRC-32, base64. */
  Hash: text(),
  Plain: object(writtenParts),
  Gzip: object(writtenParts),
  /** The file in the bucket with what is not yet part of an upload: plain, then compressed. */
  Tail: text(),
  TailBytes: object({ Plain: number(), Gzip: number() }),
  /** Whether the compressed file has its end. */
  Stream: word(['open', 'ended']),
};
export type DownloadProgress = ObjectOf<typeof progress>;

/** A download and how far it is. */
export const downloadEntity = entity('Download', {
  Id: text({ required: true }),
  Account: text({ required: true }),
  Kind: text({ required: true }),
  Format: word(['csv', 'jsonl'], { required: true }),
  /** Whether the file begins with a byte order mark. */
  HasBom: flag(),
  /** What it selects, as it was understood when it was started. */
  Filter: object({
    spans: properties(),
    settings: properties(),
    /** `null` for all organizations. */
    organizationId: id({ nullable: true }),
    /** The service agent that the key belongs to: it sees no other's appointments. */
    agentId: id({ nullable: true }),
  }),
  /** The first id; 1 for all. */
  FirstId: number({ absent: 1 }),
  UserId: id({ nullable: true }),
  /** The public part of the key that started it, and the slot of its list of waiting downloads. */
  Key: text({ required: true }),
  Slot: number(),
  /** Whether an Owner or Admin started it: only they see a TaxpayerID. */
  WithTaxpayer: flag(),
  CreatedAt: moment({ required: true }),
  State: word(['Waiting', 'Running', 'Ready', 'Failed'], { required: true }),
  /** Until when a worker makes it. */
  LeaseUntil: moment(),
  /** Runs that ended without progress, in a row. */
  Stalls: number(),
  /** `null` until the first checkpoint. */
  Progress: object(progress, { nullable: true }),
  Sha256: text(),
  ReadyAt: moment({ nullable: true }),
  /** Why it failed, a sentence. */
  Failure: text(),
  V: number(),
});
export type StoredDownload = RecordOf<typeof downloadEntity>;

/** A place among the waiting downloads of a key. */
export const downloadSlotEntity = entity('DownloadSlot', {
  Download: text({ required: true }),
  Until: moment({ required: true }),
});
