import type { DownloadProgress, WrittenParts } from '../../entities/downloads.ts';
import { crc32 } from 'node:zlib';
import { type IHasher, createSHA256 } from 'hash-wasm';
import type { FileHeaders, PartFiles } from '../../files/downloads.ts';
import type { DownloadFileNames } from './file-names.ts';
import { GZIP_HEADER, compressChunk, gzipTrailer } from './gzip-stream.ts';

const MB = 1024 * 1024;

/** Text that is encoded, hashed and compressed at once. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * S3 takes parts of 5 MB and more, and the record of a download holds the tags of a few thousand: later parts are
 * larger, so that neither limits a file.
 */
const partBytes = (parts: number): number => (parts < 500 ? 6 : parts < 1_000 ? 32 : 128) * MB;

/** The written data of a file: parts of its upload, and bytes that do not fill a part yet. */
class PartialFile {
  readonly #files: PartFiles;
  readonly #key: string;
  readonly #headers: FileHeaders;
  #parts: WrittenParts;
  /** Bytes that do not fill a part yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  bytes: number;

  constructor(files: PartFiles, key: string, headers: FileHeaders, parts: WrittenParts, bytes: number) {
    this.#files = files;
    this.#key = key;
    this.#headers = headers;
    this.#parts = parts;
    this.bytes = bytes;
  }

  get parts(): WrittenParts {
    return this.#parts;
  }

  get pending(): Uint8Array {
    return Buffer.concat(this.#pending);
  }

  /** Restores bytes that an earlier run kept in a separate file. */
  restore(bytes: Uint8Array): void {
    this.#append(bytes);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#append(bytes);
    this.bytes += bytes.length;
    if (this.#pendingBytes >= partBytes(this.#parts.Tags.length)) await this.#putPart();
  }

  #append(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  async #putPart(): Promise<void> {
    const UploadId = this.#parts.UploadId || (await this.#files.begin(this.#key, this.#headers));
    const number = this.#parts.Tags.length + 1;
    const tag = await this.#files.putPart(this.#key, UploadId, number, this.pending);
    this.#parts = { UploadId, Tags: [...this.#parts.Tags, tag.replaceAll('"', '')] };
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** Makes the rest the last part, if the file has parts. */
  async flush(): Promise<void> {
    if (this.#parts.UploadId && this.#pendingBytes) await this.#putPart();
  }

  /** Makes the file visible under its key. Safe to repeat. */
  async finish(): Promise<void> {
    const { UploadId, Tags } = this.#parts;
    if (!UploadId) return this.#files.put(this.#key, this.pending, this.#headers);
    const tags = Tags.map((tag) => `"${tag}"`);
    await this.#files.complete(this.#key, UploadId, tags, this.bytes);
  }
}

export type FileProgress = Omit<DownloadProgress, 'Records' | 'Position' | 'Last'>;

export const EMPTY_FILE: FileProgress = {
  Bytes: 0,
  GzipBytes: 0,
  Hash: '',
  Plain: { UploadId: '', Tags: [] },
  Gzip: { UploadId: '', Tags: [] },
  Tail: '',
  TailBytes: { Plain: 0, Gzip: 0 },
  Stream: 'open',
};

/** The state of CRC-32 is its value, stored after that of SHA-256. */
const CRC_BYTES = 4;

/**
 * The file of a download, plain and compressed, with its SHA-256. Its state at a checkpoint is small, and another
 * process continues from it: SHA-256 comes from a library that can save it, because Node's cannot.
 */
export class DownloadFile {
  readonly #files: PartFiles;
  readonly #prefix: string;
  readonly #hasher: IHasher;
  readonly #plain: PartialFile;
  readonly #gzip: PartialFile;
  /** The CRC-32 of everything compressed. */
  #crc = 0;
  /** Whether the last byte is written. */
  #isEnded: boolean;
  #text: string[] = [];
  #characters = 0;

  private constructor(
    files: PartFiles,
    { prefix, filename, contentType, ...keys }: DownloadFileNames,
    hasher: IHasher,
    progress: FileProgress,
  ) {
    const headers = { contentType, filename };
    this.#files = files;
    this.#prefix = prefix;
    this.#hasher = hasher;
    this.#plain = new PartialFile(files, keys.plain, { ...headers, isGzip: false }, progress.Plain, progress.Bytes);
    this.#gzip = new PartialFile(files, keys.gzip, { ...headers, isGzip: true }, progress.Gzip, progress.GzipBytes);
    this.#isEnded = progress.Stream === 'ended';
  }

  /** Opens a new file, or one from a checkpoint. */
  static async open(
    files: PartFiles,
    names: DownloadFileNames,
    progress: FileProgress = EMPTY_FILE,
  ): Promise<DownloadFile> {
    const hasher = await createSHA256();
    hasher.init();
    const file = new DownloadFile(files, names, hasher, progress);
    await file.#restore(progress);
    return file;
  }

  async #restore({ Hash, Tail, TailBytes }: FileProgress): Promise<void> {
    if (Hash) {
      const state = Buffer.from(Hash, 'base64');
      this.#hasher.load(state.subarray(0, -CRC_BYTES));
      this.#crc = state.readUInt32LE(state.length - CRC_BYTES);
    }
    if (!Tail) return;
    const tail = await this.#files.get(Tail);
    this.#plain.restore(tail.subarray(0, TailBytes.Plain));
    this.#gzip.restore(tail.subarray(TailBytes.Plain));
  }

  async write(text: string): Promise<void> {
    this.#text.push(text);
    this.#characters += text.length;
    if (this.#characters >= CHUNK_CHARACTERS) await this.#encode();
  }

  async #encode(): Promise<void> {
    if (!this.#characters) return;
    const bytes = Buffer.from(this.#text.join(''));
    this.#text = [];
    this.#characters = 0;
    this.#hasher.update(bytes);
    this.#crc = crc32(bytes, this.#crc);
    await this.#plain.write(bytes);
    if (!this.#gzip.bytes) await this.#gzip.write(GZIP_HEADER);
    await this.#gzip.write(await compressChunk(bytes));
  }

  #saveHash(): string {
    const crc = Buffer.alloc(CRC_BYTES);
    crc.writeUInt32LE(this.#crc);
    return Buffer.concat([this.#hasher.save(), crc]).toString('base64');
  }

  /** Keeps everything written so far in the bucket, and returns where another process continues. */
  async checkpoint(version: number): Promise<FileProgress> {
    await this.#encode();
    const [plain, gzip] = [this.#plain.pending, this.#gzip.pending];
    const Tail = plain.length + gzip.length ? `${this.#prefix}tail-${version}` : '';
    if (Tail) await this.#files.put(Tail, Buffer.concat([plain, gzip]));
    return {
      Bytes: this.#plain.bytes,
      GzipBytes: this.#gzip.bytes,
      Hash: this.#saveHash(),
      Plain: this.#plain.parts,
      Gzip: this.#gzip.parts,
      Tail,
      TailBytes: { Plain: plain.length, Gzip: gzip.length },
      Stream: this.#isEnded ? 'ended' : 'open',
    };
  }

  get hasParts(): boolean {
    return Boolean(this.#plain.parts.UploadId || this.#gzip.parts.UploadId);
  }

  /** Writes the end of both files, and makes the rest the last parts. Nothing may be written after it. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    await this.#encode();
    if (!this.#gzip.bytes) await this.#gzip.write(GZIP_HEADER);
    await this.#gzip.write(gzipTrailer(this.#crc, this.#plain.bytes));
    this.#isEnded = true;
    await Promise.all([this.#plain.flush(), this.#gzip.flush()]);
  }

  /** Makes both ended files visible. Safe to repeat. */
  async finish(): Promise<{ readonly Bytes: number; readonly Sha256: string }> {
    await Promise.all([this.#plain.finish(), this.#gzip.finish()]);
    return { Bytes: this.#plain.bytes, Sha256: this.#hasher.digest('hex') };
  }
}
