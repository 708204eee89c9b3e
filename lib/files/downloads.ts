import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { retry } from '../shared/promises.ts';
import { clientOf } from './s3.ts';

/** How a file is served: a browser saves it under the name instead of showing it. */
export interface FileHeaders {
  readonly contentType: string;
  readonly filename: string;
  readonly isGzip: boolean;
}

/** Large files that are written in parts of at least 5 MB, except the last. Everything is safe to repeat. */
export interface PartFiles {
  begin(key: string, headers: FileHeaders): Promise<string>;
  /** Returns the tag of the part; a part replaces an earlier one with the same number. */
  putPart(key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<string>;
  complete(key: string, uploadId: string, tags: readonly string[], bytes: number): Promise<void>;
  put(key: string, bytes: Uint8Array, headers?: FileHeaders): Promise<void>;
  get(key: string): Promise<Uint8Array>;
}

const toParameters = ({ contentType, filename, isGzip }: FileHeaders) => ({
  ContentType: contentType,
  ContentDisposition: `attachment; filename="${filename}"`,
  ...(isGzip ? { ContentEncoding: 'gzip' } : {}),
});

const isServiceError = (error: unknown): error is S3ServiceException => error instanceof Error && '$metadata' in error;

/**
 * Whether the same request may succeed later: the bucket is unavailable or busy, or its permissions are being repaired.
 */
const mayRecover = (error: unknown): boolean => {
  if (!isServiceError(error)) return error instanceof Error && error.name !== 'TypeError';
  const { httpStatusCode: status = 500 } = error.$metadata;
  return status >= 500 || status === 403 || status === 429;
};

/** Requests are retried until the deadline (milliseconds since 1970) while the bucket is unavailable. */
export function openPartFiles({
  bucket = process.env['BUCKET_NAME'] ?? '',
  endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? '',
  deadline,
}: {
  readonly bucket?: string;
  readonly endpoint?: string;
  readonly deadline: number;
}): PartFiles {
  const client = clientOf(endpoint);
  const Bucket = bucket;
  const retried = <Answer>(attempt: () => Promise<Answer>): Promise<Answer> =>
    retry(attempt, { isTransient: mayRecover, deadline, firstWait: 100, longestWait: 5_000 });

  /** A retried completion whose answer was lost finds the file instead of the upload. */
  async function isComplete(key: string, bytes: number): Promise<boolean> {
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
    return ContentLength === bytes;
  }

  return {
    async begin(Key, headers) {
      const command = () => new CreateMultipartUploadCommand({ Bucket, Key, ...toParameters(headers) });
      const { UploadId = '' } = await retried(() => client.send(command()));
      return UploadId;
    },
    async putPart(Key, UploadId, PartNumber, Body) {
      const command = () => new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
      const { ETag = '' } = await retried(() => client.send(command()));
      return ETag;
    },
    async complete(Key, UploadId, tags, bytes) {
      const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const command = () => new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
      try {
        await retried(() => client.send(command()));
      } catch (error) {
        if (!isServiceError(error) || error.name !== 'NoSuchUpload' || !(await isComplete(Key, bytes))) throw error;
      }
    },
    async put(Key, Body, headers) {
      const command = () => new PutObjectCommand({ Bucket, Key, Body, ...(headers ? toParameters(headers) : {}) });
      await retried(() => client.send(command()));
    },
    async get(Key) {
      const { Body } = await retried(() => client.send(new GetObjectCommand({ Bucket, Key })));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
  };
}

/** An address from which anyone can read the file for `seconds`. Makes no request. */
export const signedUrl = (key: string, seconds: number): Promise<string> =>
  getSignedUrl(
    clientOf(process.env['AWS_ENDPOINT_URL_S3'] ?? ''),
    new GetObjectCommand({ Bucket: process.env['BUCKET_NAME'] ?? '', Key: key }),
    { expiresIn: seconds },
  );
