import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** What is known of a file in the bucket without reading it. */
export interface FileFacts {
  readonly bytes: number;
  /** Changes with the content. */
  readonly tag: string;
}

/** How a browser gets a file by a signed address. */
export interface Delivery {
  readonly contentType: string;
  /** Content-Disposition. */
  readonly disposition: string;
}

/** The files in the bucket. */
export interface Files {
  /** Repeating it is safe: the same key has the newest text. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  putBytes(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The first `length` bytes, or all; `undefined` if there is no such file. */
  getBytes(key: string, length?: number): Promise<Uint8Array | undefined>;
  /** `undefined` if there is no such file. */
  facts(key: string): Promise<FileFacts | undefined>;
  /**
   * Copies a file that still has the tag. False if it does not exist, or has another tag by now. Repeating it is safe.
   */
  copy(from: string, to: string, options: { readonly tag?: string; readonly contentType: string }): Promise<boolean>;
  /** An address at which anyone may put a file of this length and type until it expires. */
  signPut(key: string, file: { bytes: number; contentType: string }, seconds: number): Promise<string>;
  /** An address at which anyone may get the file until it expires. */
  signGet(key: string, delivery: Delivery, seconds: number): Promise<string>;
  /** The keys that begin with the prefix, in their order. */
  list(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
  /** Removes a file with every earlier version of it, for good. Safe to repeat. */
  removeVersions(key: string): Promise<void>;
  /** Ends the multipart uploads under way below a prefix, and removes their parts. Safe to repeat. */
  abortUploads(prefix: string): Promise<void>;
}

const clients = new Map<string, S3Client>();

/** Copying or reading 100 MB within the bucket takes some seconds. */
const LONG_REQUEST = { requestTimeout: 20_000 };

/** Without permission to list the bucket, a missing file is 403; 412 is one that has another tag. */
const MISSING: ReadonlySet<number | undefined> = new Set([403, 404, 412]);

/** What a request of an existing file returns; `undefined` if there is no such file. */
async function ifFound<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.has(error.$metadata.httpStatusCode)) return undefined;
    throw error;
  }
}

/** One client an endpoint: its connections are shared by all that is done with the bucket. */
export function clientOf(endpoint: string): S3Client {
  let client = clients.get(endpoint);
  if (!client) {
    client = new S3Client({
      maxAttempts: 4,
      // An address for putting a file must not ask its user for a checksum.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      // An emulator has no host name for each bucket.
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    });
    clients.set(endpoint, client);
  }
  return client;
}

/** The files of a bucket: each request in a few lines, which share its client and name. */
export function openFiles({
  bucket = process.env['BUCKET_NAME'] ?? '',
  endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? '',
} = {}): Files {
  const client = clientOf(endpoint);
  const Bucket = bucket;
  return {
    async put(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }));
    },
    async get(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return (await Body?.transformToString()) ?? '';
    },
    async putBytes(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }), LONG_REQUEST);
    },
    getBytes: (Key, length) =>
      ifFound(async () => {
        const Range = length === undefined ? undefined : `bytes=0-${length - 1}`;
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }), LONG_REQUEST);
        return Body?.transformToByteArray();
      }),
    facts: (Key) =>
      ifFound(async () => {
        const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key }));
        return { bytes: ContentLength, tag: ETag };
      }),
    async copy(from, Key, { tag, contentType }) {
      const source = { CopySource: `${Bucket}/${encodeURI(from)}`, CopySourceIfMatch: tag };
      const type = { MetadataDirective: 'REPLACE', ContentType: contentType } as const;
      const command = new CopyObjectCommand({ Bucket, Key, ...source, ...type });
      return (await ifFound(() => client.send(command, LONG_REQUEST))) !== undefined;
    },
    async signPut(Key, { bytes, contentType }, expiresIn) {
      const command = new PutObjectCommand({ Bucket, Key, ContentLength: bytes, ContentType: contentType });
      return getSignedUrl(client, command, { expiresIn, signableHeaders: new Set(['content-length', 'content-type']) });
    },
    async signGet(Key, { contentType, disposition }, expiresIn) {
      const asSent = { ResponseContentType: contentType, ResponseContentDisposition: disposition };
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ...asSent }), { expiresIn });
    },
    async list(Prefix) {
      const keys: string[] = [];
      let after: string | undefined;
      do {
        const request = new ListObjectsV2Command({ Bucket, Prefix, ...(after ? { ContinuationToken: after } : {}) });
        const { Contents = [], NextContinuationToken } = await client.send(request);
        keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
        after = NextContinuationToken;
      } while (after);
      return keys;
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    async abortUploads(Prefix) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      for (const { Key, UploadId } of Uploads)
        if (Key?.startsWith(Prefix)) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    },
    async removeVersions(Key) {
      const { Versions = [], DeleteMarkers = [] } = await client.send(
        new ListObjectVersionsCommand({ Bucket, Prefix: Key }),
      );
      const own = [...Versions, ...DeleteMarkers].filter((version) => version.Key === Key && version.VersionId);
      for (const { VersionId } of own) await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      // A bucket without versions.
      if (!own.length) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
