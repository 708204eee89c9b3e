import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, moment, number, object, properties, text, texts, word } from './declaration/fields.ts';

/** The part of a file that is written: the entity tags of the parts of its multipart upload. */
const writtenParts = { UploadId: text(), Tags: texts() };
export type WrittenParts = ObjectOf<typeof writtenParts>;

/** Where a worker continues a download. */
const progress = {
  /** Rows written. */
  Records: number(),
  /** The last id that is done; the download covers ids through `Last`. */
  Position: number(),
  Last: number(),
  /** Size of the uncompressed file in bytes. */
  Bytes: number(),
  GzipBytes: number(),
  /** State of the running SHA-256 and CRC-32, base64. */
  Hash: text(),
  Plain: object(writtenParts),
  Gzip: object(writtenParts),
  /** The file's bytes that are not yet part of an upload: plain, then compressed. */
  Tail: text(),
  TailBytes: object({ Plain: number(), Gzip: number() }),
  /** Whether the compressed stream has been ended. */
  Stream: word(['open', 'ended']),
};
export type DownloadProgress = ObjectOf<typeof progress>;

/** A download and its progress. */
export const downloadEntity = entity('Download', {
  Id: text({ required: true }),
  Account: text({ required: true }),
  Kind: text({ required: true }),
  Format: word(['csv', 'jsonl'], { required: true }),
  /** Whether the file begins with a byte order mark. */
  HasBom: flag(),
  /** The selection, as it was understood at the start. */
  Filter: object({
    spans: properties(),
    settings: properties(),
    /** `null` for all organizations. */
    organizationId: id({ nullable: true }),
    /** The service agent that the key belongs to, which sees no other agent's appointments. */
    agentId: id({ nullable: true }),
  }),
  /** The first id; 1 for all. */
  FirstId: number({ absent: 1 }),
  UserId: id({ nullable: true }),
  /** The public part of the key that started it, and its slot in that key's list of waiting downloads. */
  Key: text({ required: true }),
  Slot: number(),
  /** Whether an Owner or Admin started it: only they may see TaxpayerID. */
  WithTaxpayer: flag(),
  CreatedAt: moment({ required: true }),
  State: word(['Waiting', 'Running', 'Ready', 'Failed'], { required: true }),
  /** End of the lease of the worker that makes it. */
  LeaseUntil: moment(),
  /** Consecutive runs that ended without progress. */
  Stalls: number(),
  /** `null` until the first checkpoint. */
  Progress: object(progress, { nullable: true }),
  Sha256: text(),
  ReadyAt: moment({ nullable: true }),
  /** Why it failed, as a sentence. */
  Failure: text(),
  V: number(),
});
export type StoredDownload = RecordOf<typeof downloadEntity>;

/** A slot for a waiting download of a key. */
export const downloadSlotEntity = entity('DownloadSlot', {
  Download: text({ required: true }),
  Until: moment({ required: true }),
});
