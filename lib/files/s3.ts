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

/** What a request for the metadata of a file returns. */
export interface FileFacts {
  readonly bytes: number;
  /** Changes with the content. */
  readonly tag: string;
}

/** How a browser receives a file from a signed address. */
export interface Delivery {
  readonly contentType: string;
  /** The Content-Disposition header. */
  readonly disposition: string;
}

/** The files in the bucket. */
export interface Files {
  /** Safe to repeat: the key has the newest text. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  putBytes(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The first `length` bytes, or all; `undefined` if there is no such file. */
  getBytes(key: string, length?: number): Promise<Uint8Array | undefined>;
  /** `undefined` if there is no such file. */
  facts(key: string): Promise<FileFacts | undefined>;
  /** Copies a file if it still has the tag. False if it does not exist or has another tag by now. Safe to repeat. */
  copy(from: string, to: string, options: { readonly tag?: string; readonly contentType: string }): Promise<boolean>;
  /** An address at which anyone can put a file of this length and type until it expires. */
  signPut(key: string, file: { bytes: number; contentType: string }, seconds: number): Promise<string>;
  /** An address from which anyone can get the file until it expires. */
  signGet(key: string, delivery: Delivery, seconds: number): Promise<string>;
  /** The keys that begin with the prefix, in order. */
  list(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
  /** Permanently removes a file with all its versions. Safe to repeat. */
  removeVersions(key: string): Promise<void>;
  /** Aborts the multipart uploads in progress below a prefix and removes their parts. Safe to repeat. */
  abortUploads(prefix: string): Promise<void>;
}

const clients = new Map<string, S3Client>();

/** Copying or reading 100 MB within the bucket takes a few seconds. */
const LONG_REQUEST = { requestTimeout: 20_000 };

/** Without permission to list the bucket, a missing file is 403; 412 means that the tag differs. */
const MISSING: ReadonlySet<number | undefined> = new Set([403, 404, 412]);

/** The result of a request for a file; `undefined` if there is no such file. */
async function ifFound<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.has(error.$metadata.httpStatusCode)) return undefined;
    throw error;
  }
}

/** One client per endpoint, whose connections everything that uses the bucket shares. */
export function clientOf(endpoint: string): S3Client {
  let client = clients.get(endpoint);
  if (!client) {
    client = new S3Client({
      maxAttempts: 4,
      // Otherwise an address for putting a file would require a checksum from its user.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      // An emulator has no host name per bucket.
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    });
    clients.set(endpoint, client);
  }
  return client;
}

/** The files of a bucket; all requests share its client and name. */
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
      // The bucket has no versions.
      if (!own.length) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
