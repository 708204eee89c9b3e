import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

/** Texts in the bucket. */
export interface Files {
  /** Repeating it is safe: the same key has the newest text. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  /** `undefined` if there is no such file. */
  getBytes(key: string): Promise<Uint8Array | undefined>;
  /** The keys that begin with the prefix, in their order. */
  list(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
  /** Removes a file with every earlier version of it, for good. Safe to repeat. */
  removeVersions(key: string): Promise<void>;
  /** Ends the multipart uploads under way below a prefix, and removes their parts. Safe to repeat. */
  abortUploads(prefix: string): Promise<void>;
}

const clients = new Map<string, S3Client>();

/** One client an endpoint: its connections are shared by all that is done with the bucket. */
export function clientOf(endpoint: string): S3Client {
  let client = clients.get(endpoint);
  if (!client) {
    client = new S3Client({
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      // An emulator has no host name for each bucket.
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    });
    clients.set(endpoint, client);
  }
  return client;
}

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
    async getBytes(Key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
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
