import { createHmac, timingSafeEqual } from 'node:crypto';
import { type UploadRecord, filePath } from '../../entities/uploads.ts';
import { orNotFound } from '../../shared/failure.ts';
import type { Role } from '../../shared/roles.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { findUpload } from '../../store/uploads.ts';
import type { ReadContext } from '../context.ts';

/** The address at which anyone gets a file for some minutes, made for a caller who may read it. */

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

/** How long an address of a file is valid. */
const ADDRESS_MILLISECONDS = 15 * MINUTE;

export interface SignedQuery {
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
export function isSigned(upload: UploadRecord, { account, expires, signature }: SignedQuery, now: Date): boolean {
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(upload, account, expires))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) && expires * SECOND > now.getTime();
}
