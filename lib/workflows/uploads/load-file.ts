import { contentDisposition } from '../../domain/uploads/content-disposition.ts';
import { MAX_DIRECT_BYTES } from '../../domain/uploads/limits.ts';
import { fileKey } from '../../domain/uploads/record.ts';
import type { UploadRecord } from '../../entities/uploads.ts';
import { openFiles } from '../../files/s3.ts';
import { Failure, InternalError } from '../../shared/failure.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { findUpload } from '../../store/uploads.ts';
import { accountStore } from '../../store/store.ts';
import { type SignedQuery, isSigned } from './signed-path.ts';

/** Loads a file for anyone who has its signed address. */

const REDIRECT_SECONDS = 300;

/** A file: its content, or for a large one the address from which the bucket sends it. */
export type LoadedFile = { readonly contentType: string; readonly disposition: string } & (
  | { readonly kind: 'content'; readonly content: Uint8Array }
  | { readonly kind: 'address'; readonly address: string }
);

/** The form of an account's name in an address; other texts cannot be part of a key. */
const ACCOUNT = /^[a-z0-9]{1,64}$/;

/**
 * The file of a signed address, which alone determines its account. Throws 403 for every invalid address, so that
 * nobody learns which files exist.
 */
export async function loadSignedFile(
  table: TableReader,
  id: number,
  query: SignedQuery,
  now: Date,
): Promise<LoadedFile> {
  const { account } = query;
  const isPossible = id > 0 && ACCOUNT.test(account);
  const upload = isPossible ? await findUpload(accountStore(table, account), id) : undefined;
  if (!upload || !isSigned(upload, query, now))
    throw new Failure(
      'invalid_address',
      'This address of a file is not valid, or its 15 minutes are over. Get the path without its query and with the ' +
        'header X-Api-Key for a new one.',
    );
  return loadFile(account, upload, contentDisposition(upload.Filename));
}

/** The content of a file, with the Content-Disposition for the browser. */
export async function loadFile(account: string, upload: UploadRecord, disposition: string): Promise<LoadedFile> {
  const { ContentType: contentType, Bytes, Id } = upload;
  const delivery = { contentType, disposition };
  const files = openFiles();
  const key = fileKey(account, upload);
  if (Bytes > MAX_DIRECT_BYTES)
    return { kind: 'address', ...delivery, address: await files.signGet(key, delivery, REDIRECT_SECONDS) };
  const content = await files.getBytes(key).catch((cause: unknown) => {
    throw new Failure('unavailable', 'The store of files does not answer. Try again.', {
      headers: { 'Retry-After': '1' },
      cause,
    });
  });
  if (!content) throw new InternalError(`the content of file ${Id} is missing`);
  return { kind: 'content', ...delivery, content };
}
