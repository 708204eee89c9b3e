import { createHmac, timingSafeEqual } from 'node:crypto';
import { contentDisposition } from '../../domain/uploads/content-disposition.ts';
import { MAX_DIRECT_BYTES } from '../../domain/uploads/limits.ts';
import { fileKey } from '../../domain/uploads/record.ts';
import { type UploadRecord, filePath } from '../../entities/uploads.ts';
import { openFiles } from '../../files/s3.ts';
import { Failure, InternalError, orNotFound } from '../../shared/failure.ts';
import type { Role } from '../../shared/roles.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { findUpload } from '../../store/uploads.ts';
import type { ReadContext } from '../context.ts';
import { accountStore } from '../../store/store.ts';

/** Loads a file for a caller, or for anyone who has its signed address. */

const REDIRECT_SECONDS = 300;

/** The signed path of a file that the caller may read. `mayRead` decides by role and group of operations. */
export async function findSignedPath(
  id: number,
  { store, caller, now }: ReadContext,
  mayRead: (role: Role, group: 'contacts' | 'proposal') => boolean,
): Promise<string> {
  const found = id ? await findUpload(store, id) : undefined;
  const upload = found && mayRead(caller.role, found.ProposalId === null ? 'contacts' : 'proposal') ? found : undefined;
  return signedPath(orNotFound(upload, 'file', 'id', id), caller.account, now);
}

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

/** How long an address of a file is valid. */
const ADDRESS_MILLISECONDS = 15 * MINUTE;

interface SignedQuery {
  readonly account: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

/** Every file has its own secret, so the signature of one does not help to make another. */
const sign = ({ Id, Secret }: UploadRecord, account: string, expires: number): string =>
  createHmac('sha256', Secret).update(`${account}/${Id}/${expires}`).digest('base64url');

/** The path at which anyone gets the file for 15 minutes. */
function signedPath(upload: UploadRecord, account: string, now: Date): string {
  const expires = Math.ceil((now.getTime() + ADDRESS_MILLISECONDS) / SECOND);
  const query = new URLSearchParams({ account, expires: String(expires), signature: sign(upload, account, expires) });
  return `${filePath(upload.Id)}?${query}`;
}

/** Whether an address was issued here and is still valid. */
function isSigned(upload: UploadRecord, { account, expires, signature }: SignedQuery, now: Date): boolean {
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(upload, account, expires))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) && expires * SECOND > now.getTime();
}
